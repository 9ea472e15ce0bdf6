import type { Service } from '../../../spec/language/model/index.js'
import { ownershipNote } from '../../ownership.js'
import { description } from './description.js'
import { jsonObject, jsonText } from './json.js'
import { schemaDefinitions } from './schema-definitions.js'

/**
 * The types of a service as one JSON Schema document: under `$defs`, `user` is what the service sends, `user-create`,
 * `user-patch` and `user-replace` what it accepts.
 *
 * @see JSON Schema 2020-12
 */
export function emitJsonSchema(service: Service): string {
  return jsonText(
    jsonObject([
      ['$schema', 'https://json-schema.org/draft/2020-12/schema'],
      ['$comment', ownershipNote(service.name)],
      ['title', service.title],
      ['description', description(service)],
      ['$defs', schemaDefinitions(service, '#/$defs/')],
    ]),
  )
}
