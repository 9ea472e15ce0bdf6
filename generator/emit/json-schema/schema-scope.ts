import type { JsonObject } from './json.js'

/** Where schemas stand, and so how they refer to each other. */
export interface SchemaScope {
  /** `#/$defs/`, or `#/components/schemas/`. */
  readonly prefix: string
  /** Names of the geo schemas that were referred to; they are written only when they are. */
  readonly geoTypes: Set<string>
}

export function refer(scope: SchemaScope, name: string): JsonObject {
  return { $ref: scope.prefix + name }
}
