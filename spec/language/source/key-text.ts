import { yamlLibrary } from './yaml-library.js'

/** The name that a mapping's key gives; undefined for a key that is empty or no scalar. */
export function keyText(key: unknown): string | undefined {
  if (!yamlLibrary().isScalar(key)) return undefined
  if (typeof key.value === 'string') return key.value
  if (key.value === null) return undefined
  return key.source ?? String(key.value)
}
