import type { Value } from '../annotations/value.js'
import type { CsdlElement } from '../csdl/csdl-element.js'

/** An element as XML would have it; attributes that are no text, number or boolean are left out. */
export function element(
  name: string,
  attributes: Readonly<Record<string, unknown>>,
  spot: string,
  children: readonly CsdlElement[] = [],
  value?: Value,
): CsdlElement {
  const given = new Map<string, string>()
  for (const [attribute, content] of Object.entries(attributes)) {
    if (typeof content === 'string') given.set(attribute, content)
    else if (typeof content === 'number' || typeof content === 'boolean') given.set(attribute, String(content))
  }
  return { name, attributes: given, children, text: '', spot, ...(value === undefined ? {} : { value }) }
}
