import { localName } from './qualified-name.js'

/** Whether an element can be called what it is called: a simple identifier of CSDL, and no name that objects inherit by. */
export function isUsableName(name: string): boolean {
  return simpleIdentifier.test(name) && name !== '__proto__' && /[\p{L}\p{N}]/u.test(localName(name))
}

/** @see OData CSDL 4.01, 15.2 (simple identifier) */
const simpleIdentifier = /^[\p{L}\p{Nl}_][\p{L}\p{Nl}\p{Nd}\p{Mn}\p{Mc}\p{Pc}]{0,127}$/u
