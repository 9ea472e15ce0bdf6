/** The part behind the last dot. */
export const localName = (name: string): string => name.slice(name.lastIndexOf('.') + 1)

/** The part before the last dot; empty when there is none. */
export const namespaceOf = (name: string): string => name.slice(0, Math.max(0, name.lastIndexOf('.')))

/** `Collection(Edm.String)` in its parts. */
export function typeReference(text: string): { readonly name: string; readonly collection: boolean } {
  const inner = /^Collection\((.*)\)$/.exec(text.trim())?.[1]
  return inner === undefined ? { name: text.trim(), collection: false } : { name: inner.trim(), collection: true }
}
