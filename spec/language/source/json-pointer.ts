/** The JSON Pointer of a member. @see RFC 6901 */
export function pointerTo(parent: string, key: string | number): string {
  if (typeof key === 'number') return `${parent}/${key}`
  return `${parent}/${/[~/]/.test(key) ? key.replaceAll('~', '~0').replaceAll('/', '~1') : key}`
}

/** The keys of a JSON Pointer, from the root on. */
export function pointerKeys(pointer: string): readonly string[] {
  return pointer === ''
    ? []
    : pointer
        .slice(1)
        .split('/')
        .map(key => key.replaceAll('~1', '/').replaceAll('~0', '~'))
}

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

/** A copy of plain data without the parts that the pointers name. The root stays. */
export function omitPointers(data: object, pointers: ReadonlySet<string>): object {
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
