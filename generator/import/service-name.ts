import { localName } from './csdl/qualified-name.js'

/** A name that a service may have, made of a namespace: `NorthwindModel` -> `northwindModel`. */
export function serviceName(namespace: string): string {
  const name = localName(namespace)
    .replace(/[^A-Za-z0-9_-]/g, '')
    .replace(/^[^A-Za-z]+/, '')
  return name === '' ? 'service' : name.slice(0, 1).toLowerCase() + name.slice(1)
}
