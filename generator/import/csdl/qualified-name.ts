/** The part after the last dot. */
export const localName = (name: string): string => name.slice(name.lastIndexOf('.') + 1)

/** The part before the last dot; empty when there is none. */
export const namespaceOf = (name: string): string => name.slice(0, Math.max(0, name.lastIndexOf('.')))

/**
 * The last part of a namespace that says what the service is about: not a version, `v0001`, and no word that any service
 * could have, `Default`. Undefined if there is none.
 */
export function tellingSegment(namespace: string): string | undefined {
  return namespace
    .split('.')
    .reverse()
    .find(segment => !isVersion.test(segment) && !genericSegments.has(segment.toLowerCase()))
}

const isVersion = /^v?\d+(?:[._-]\d+)*$/i

const genericSegments: ReadonlySet<string> = new Set([
  ...['api', 'container', 'context', 'data', 'default', 'defaultcontainer', 'edm', 'entities', 'metadata', 'model'],
  ...['models', 'odata', 'schema', 'service', 'services'],
])

/** `Collection(Edm.String)` in its parts. */
export function typeReference(text: string): { readonly name: string; readonly collection: boolean } {
  const inner = /^Collection\((.*)\)$/.exec(text.trim())?.[1]
  return inner === undefined ? { name: text.trim(), collection: false } : { name: inner.trim(), collection: true }
}

/** Whether a spec can keep a name: a simple identifier of CSDL with a letter or a digit, and not `__proto__`. */
export function isUsableName(name: string): boolean {
  return simpleIdentifier.test(name) && name !== '__proto__' && /[\p{L}\p{N}]/u.test(localName(name))
}

/** @see OData CSDL 4.01, 15.2 (simple identifier) */
const simpleIdentifier = /^[\p{L}\p{Nl}_][\p{L}\p{Nl}\p{Nd}\p{Mn}\p{Mc}\p{Pc}]{0,127}$/u

const reserved: ReadonlySet<string> = new Set(['edm', 'odata', 'system', 'transient'])

/** Whether a spec may have a namespace. @see OData CSDL 4.01, 5.1 */
export function isUsableNamespace(namespace: string): boolean {
  return dotted.test(namespace) && namespace.length <= 511 && !reserved.has(namespace.toLowerCase())
}

const dotted =
  /^[\p{L}\p{Nl}_][\p{L}\p{Nl}\p{Nd}\p{Mn}\p{Mc}\p{Pc}]*(?:\.[\p{L}\p{Nl}_][\p{L}\p{Nl}\p{Nd}\p{Mn}\p{Mc}\p{Pc}]*)*$/u
