import type { Endpoint, Property } from '../../spec/language/index.js'

/**
 * The path of an endpoint with its keys filled in, percent-encoded. Variables of inline calls stay, for rules to fill.
 *
 * @param keys values by template variable
 */
export function sitePath(endpoint: Endpoint, keys: Readonly<Record<string, string>>): string {
  let path = ''
  let rest = endpoint.path.template
  for (const { variable, property, segment } of endpoint.keys) {
    const mark = `{${variable}}`
    const at = rest.indexOf(mark)
    const value = keys[variable]
    if (at < 0 || value === undefined) continue
    const step = endpoint.resolved[segment]
    const inParentheses = step?.kind === 'key' && step.style === 'parentheses'
    path += rest.slice(0, at) + encodeURIComponent(inParentheses ? literalText(value, property) : value)
    rest = rest.slice(at + mark.length)
  }
  return path + rest
}

function literalText(value: string, { type }: Property): string {
  return type.kind === 'primitive' && type.name !== 'String' ? value : `'${value.replaceAll("'", "''")}'`
}
