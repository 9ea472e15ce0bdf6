import { canonicalFunctions } from '../../spec/language/index.js'
import { code, markdownTable } from './markdown-table.js'

const start = '<!-- Written by `npm run docs`. -->\n'
const end = '\n<!-- End of the table. -->'

/** `docs/query-language.md` with the table of the canonical functions. */
export function withFunctionTable(page: string): string {
  const from = page.indexOf(start)
  const to = page.indexOf(end)
  if (from < 0 || to < from) throw new Error('docs/query-language.md has no place for the table of functions.')
  return `${page.slice(0, from + start.length)}\n${functionTable()}\n${page.slice(to)}`
}

function functionTable(): string {
  const rows = [...canonicalFunctions].map(([name, { signatures }]) => {
    const calls = signatures.map(({ parameterNames }) => code(`${name}(${parameterNames.join(',')})`))
    const results = signatures.map(({ returns }) =>
      returns === 'same' ? 'the type of the first argument' : code(returns),
    )
    return [[...new Set(calls)].join(', '), [...new Set(results)].join(', ')]
  })
  return markdownTable(['call', 'result'], rows)
}
