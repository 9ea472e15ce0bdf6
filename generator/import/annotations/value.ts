/** The value of an annotation. Paths and members of enumerations are texts: `Read,Write`. */
export type Value = string | number | boolean | null | readonly Value[] | RecordValue

/** The members of a record, and which of them have been looked at: the others say what a spec cannot hold. */
export interface RecordValue {
  readonly members: ReadonlyMap<string, Value | undefined>
  readonly read: Set<string>
}

export function isRecord(value: Value | undefined): value is RecordValue {
  return typeof value === 'object' && value !== null && 'members' in value
}

export function isList(value: Value | undefined): value is readonly Value[] {
  return Array.isArray(value)
}

/** A member of a record; undefined when it is absent, no constant, or the value is no record. */
export function memberOf(value: Value | undefined, name: string): Value | undefined {
  if (!isRecord(value)) return undefined
  value.read.add(name)
  return value.members.get(name)
}

export function textOf(value: Value | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined
}

export function numberOf(value: Value | undefined): number | undefined {
  return typeof value === 'number' ? value : undefined
}

/** The texts of a collection; undefined when it is none. */
export function textsOf(value: Value | undefined): readonly string[] | undefined {
  return isList(value) ? value.filter(item => typeof item === 'string') : undefined
}

/** The records of a collection. */
export function recordsOf(value: Value | undefined): readonly RecordValue[] {
  return isList(value) ? value.filter(isRecord) : []
}

/** Counts all members of a record as looked at: they say nothing more. */
export function passOver(value: Value | undefined): undefined {
  if (isRecord(value)) for (const name of value.members.keys()) value.read.add(name)
  return undefined
}
