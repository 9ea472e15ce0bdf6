/** One item of the service that is killed; `name` and `note` are always written together, and the same. */
export interface Thing {
  readonly id: string
  readonly name: string
  readonly note: string
  readonly count: number
  /** Its entity tag. */
  readonly tag: string
}

/** Reads an item of an answer. @throws TypeError when it is none */
export function thingOf(json: unknown): Thing {
  const id = textOf(json, 'id')
  const count = memberOf(json, 'count')
  if (typeof count !== 'number') throw new TypeError(`${id} has no count: ${JSON.stringify(json)}`)
  return { id, name: textOf(json, 'name'), note: textOf(json, 'note'), count, tag: textOf(json, '@odata.etag') }
}

/** A member of a JSON object, undefined when it has none of the name. */
export function memberOf(json: unknown, name: string): unknown {
  if (typeof json !== 'object' || json === null) return undefined
  return Object.entries(json).find(([key]) => key === name)?.[1]
}

/** The list in the member of a JSON object. @throws TypeError when there is none */
export function listOf(json: unknown, name: string): readonly unknown[] {
  const list = memberOf(json, name)
  if (!Array.isArray(list)) throw new TypeError(`There is no list ${name} in ${JSON.stringify(json)?.slice(0, 200)}`)
  return list
}

function textOf(json: unknown, name: string): string {
  const text = memberOf(json, name)
  if (typeof text !== 'string')
    throw new TypeError(`There is no text ${name} in ${JSON.stringify(json)?.slice(0, 200)}`)
  return text
}
