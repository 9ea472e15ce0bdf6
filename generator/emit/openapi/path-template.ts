import type { Path } from '../../../spec/language/model/index.js'
import { quotedVariables } from './path-parameters.js'

/** A path as OpenAPI has it: `/copies(isbn='{isbn}',number={number})`. */
export function pathTemplate({ template, endpoints: [endpoint] }: Path): string {
  if (endpoint === undefined) return template
  const quoted = quotedVariables(endpoint)
  return template.replaceAll(/([(=])\{([^{}]*)\}/g, (whole, before: string, name: string) =>
    quoted.has(name) ? `${before}'{${name}}'` : whole,
  )
}
