import { localName } from './csdl/qualified-name.js'

/** A name that a service may have, made of a namespace: `NorthwindModel` -> `northwindModel`, `NS` -> `ns`. */
export function serviceName(namespace: string): string {
  const name = localName(namespace)
    .replace(/[^A-Za-z0-9_-]/g, '')
    .replace(/^[^A-Za-z]+/, '')
  return name === '' ? 'service' : name.replace(/^(?:[A-Z]+(?![a-z])|[A-Z])/, capitals => capitals.toLowerCase())
}
