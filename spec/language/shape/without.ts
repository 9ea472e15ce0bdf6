import { pointerTo } from '../source/pointer.js'

/** A copy of plain data without the parts that the pointers name. The root stays. */
export function without(data: object, pointers: ReadonlySet<string>): object {
  return copyObject(data, '', pointers)
}

function copy(value: unknown, pointer: string, pointers: ReadonlySet<string>): unknown {
  if (Array.isArray(value)) {
    return value.flatMap((item: unknown, index) => {
      const at = pointerTo(pointer, index)
      return pointers.has(at) ? [] : [copy(item, at, pointers)]
    })
  }
  return typeof value === 'object' && value !== null ? copyObject(value, pointer, pointers) : value
}

function copyObject(data: object, pointer: string, pointers: ReadonlySet<string>): object {
  const result: Record<string, unknown> = Object.create(null)
  for (const [key, value] of Object.entries(data)) {
    const at = pointerTo(pointer, key)
    if (!pointers.has(at)) result[key] = copy(value, at, pointers)
  }
  return result
}
