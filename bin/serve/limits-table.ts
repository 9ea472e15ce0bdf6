import { allLimits } from './limits.js'

const start = '<!-- Written by `npm run docs`. -->\n'
const end = '\n<!-- End of the table. -->'

/** `docs/security.md` with the table of all limits. */
export function withLimitTable(page: string): string {
  const from = page.indexOf(start)
  const to = page.indexOf(end)
  if (from < 0 || to < from) throw new Error('docs/security.md has no place for the table of limits.')
  return `${page.slice(0, from + start.length)}\n${limitTable()}\n${page.slice(to)}`
}

function limitTable(): string {
  const rows = allLimits().map(limit => {
    const set = limit.inSpec ? 'spec, `--limit`' : '`--limit`'
    return `| \`${limit.name}\` | ${limit.default?.toLocaleString('en') ?? 'none'} | ${limit.meaning} | ${set} |`
  })
  return ['| limit | default | meaning | set in |', '|---|---|---|---|', ...rows].join('\n')
}
