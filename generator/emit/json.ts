/** A JSON value. Objects are made with `jsonObject`, so that a name from a spec cannot set the prototype. */
export type Json = string | number | boolean | null | readonly Json[] | JsonObject

export interface JsonObject {
  readonly [name: string]: Json
}

/** An object with the given members, in their order, without undefined ones. */
export function jsonObject(members: Iterable<readonly [name: string, value: Json | undefined]>): JsonObject {
  const given: [string, Json][] = []
  for (const [name, value] of members) {
    if (value !== undefined) given.push([name, value])
  }
  return Object.fromEntries(given)
}

/** JSON as a file: indented by two spaces, with a final line end. */
export function jsonText(json: Json): string {
  return `${JSON.stringify(json, null, 2)}\n`
}
