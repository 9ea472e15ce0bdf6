import { functionNames, operatorNames } from '../../../runtime/query/index.js'
import { suggest } from '../diagnostics/diagnostic.js'
import type { Check } from './check.js'

const options = ['filter', 'search', 'count', 'countPath', 'orderby', 'expand', 'skip', 'top', 'select']

const known: ReadonlySet<string> = new Set([
  ...options,
  ...[...operatorNames, 'not', 'negate', 'any', 'all', ...functionNames].map(name => `filter.${name}`),
])

/** A condition names known constructs. */
export const conditionConstructs: Check = ({ service, report }) => {
  const own = service.operations.map(({ qualifiedName }) => `filter.${qualifiedName}`)
  for (const { requires } of service.queryCapabilities) {
    for (const { when, location } of requires) {
      for (const [index, constructs] of when.entries()) {
        for (const construct of constructs) {
          if (known.has(construct) || own.includes(construct)) continue
          const suggestion = suggest(construct, known)
          const hint =
            suggestion === undefined
              ? ` Known: ${options.join(', ')}, and \`filter.\` with an operator or function.`
              : ''
          const message = `The query language has no construct "${construct}".${hint}`
          report({ code: 'spec/unknown-construct', message, at: `${location.pointer}/when/${index}`, suggestion })
        }
      }
    }
  }
}
