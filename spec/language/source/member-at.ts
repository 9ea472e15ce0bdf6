import { pointerKeys } from './pointer.js'

/** The part of plain data that a JSON Pointer leads to; undefined when there is none. */
export function memberAt(data: unknown, pointer: string): unknown {
  let value = data
  for (const key of pointerKeys(pointer)) {
    if (typeof value !== 'object' || value === null) return undefined
    const member: unknown = Object.getOwnPropertyDescriptor(value, key)?.value
    if (member === undefined) return undefined
    value = member
  }
  return value
}
