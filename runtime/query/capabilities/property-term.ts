/** A term of `$search` that is bound to one property, as `"displayName:room"` is. */
export interface PropertyTerm {
  readonly property: string
  readonly term: string
}

/** Splits `property:term` at its first colon; absent when there is no property, or no term. */
export function propertyTerm(text: string): PropertyTerm | undefined {
  const colon = text.indexOf(':')
  const property = text.slice(0, Math.max(0, colon)).trim()
  const term = text.slice(colon + 1).trim()
  return property === '' || term === '' ? undefined : { property, term }
}
