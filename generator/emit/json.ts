/** A JSON value. Objects are made with `jsonObject`, so that a name from a spec cannot be mistaken for a prototype. */
export type Json = string | number | boolean | null | readonly Json[] | JsonObject

export interface JsonObject {
  readonly [name: string]: Json
}

/** An object of the members that are given, in their order; what is undefined is left out. */
export function jsonObject(members: Iterable<readonly [name: string, value: Json | undefined]>): JsonObject {
  const given: [string, Json][] = []
  for (const [name, value] of members) {
    if (value !== undefined) given.push([name, value])
  }
  return Object.fromEntries(given)
}

/** JSON as a file: two spaces, a line end at the end. */
export function jsonText(json: Json): string {
  return `${JSON.stringify(json, null, 2)}\n`
}
