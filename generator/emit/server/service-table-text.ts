import type { ServiceTableData } from '../../../spec/language/table/table-data.js'
import { hiddenCharacters } from '../../text/hidden-characters.js'

/**
 * The table as JSON for `readServiceTable` of the runtime: each type, route and error on a line of its own. Query options
 * that routes share stand once, under the name of the first of these routes.
 */
export function serviceTableText({ routes, ...table }: ServiceTableData): string {
  const names = new Map<unknown, string>()
  for (const { name, query } of routes) if (query !== undefined && !names.has(query)) names.set(query, name)
  const queries = [...names].map(([query, name]) => labelled(name, query))
  const members = Object.entries(table).map(([name, member]) =>
    typeof member === 'object' && Object.values(member).some(isObject)
      ? `${jsonText(name)}: ${lines(
          '{',
          Object.entries(member).map(entry => labelled(...entry)),
          '}',
        )}`
      : labelled(name, member),
  )
  const written = routes.map(route => jsonText({ ...route, query: names.get(route.query) }))
  return lines(
    '{',
    [...members, `"queries": ${lines('{', queries, '}')}`, `"routes": ${lines('[', written, ']')}`],
    '}',
  )
}

function labelled(name: string, value: unknown): string {
  return `${jsonText(name)}: ${jsonText(value)}`
}

function lines(open: string, items: readonly string[], close: string): string {
  return items.length === 0 ? open + close : `${open}\n${items.join(',\n')}\n${close}`
}

/** On one line on which everything can be seen. */
function jsonText(value: unknown): string {
  return JSON.stringify(value).replace(
    hiddenCharacters,
    character => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null
}
