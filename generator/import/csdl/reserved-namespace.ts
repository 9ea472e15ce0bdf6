const reserved: ReadonlySet<string> = new Set(['edm', 'odata', 'system', 'transient'])

/** Whether a spec may have a namespace. @see OData CSDL 4.01, 5.1 */
export function isUsableNamespace(namespace: string): boolean {
  return dotted.test(namespace) && namespace.length <= 511 && !reserved.has(namespace.toLowerCase())
}

const dotted =
  /^[\p{L}\p{Nl}_][\p{L}\p{Nl}\p{Nd}\p{Mn}\p{Mc}\p{Pc}]*(?:\.[\p{L}\p{Nl}_][\p{L}\p{Nl}\p{Nd}\p{Mn}\p{Mc}\p{Pc}]*)*$/u
