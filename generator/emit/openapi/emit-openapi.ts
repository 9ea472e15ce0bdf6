import type { Service } from '../../../spec/language/index.js'
import { ownershipNote } from '../../generated-file.js'
import { description } from '../doc-comments.js'
import { type Json, type JsonObject, jsonObject, jsonText } from '../json.js'
import { schemaDefinitions } from '../json-schema/emit-json-schema.js'
import { batchPath } from './batch-path.js'
import { operationObject } from './operation.js'
import { pathTemplate } from './parameters.js'
import { propertyPaths } from './property-paths.js'
import { envelopeSchemas, namedPropertiesOnly, reachableSchemas, schemasPrefix } from './schemas.js'

/**
 * A service as an OpenAPI 3.1 document.
 *
 * @see OpenAPI 3.1.1
 */
export function emitOpenapi(service: Service): string {
  const described = paths(service)
  const schemas = {
    ...namedPropertiesOnly(schemaDefinitions(service, schemasPrefix)),
    ...envelopeSchemas(service),
  }
  return jsonText(
    jsonObject([
      ['openapi', '3.1.1'],
      ['x-generated', ownershipNote(service.name)],
      [
        'info',
        jsonObject([
          ['title', service.title],
          ['version', service.version],
          ['description', description(service)],
        ]),
      ],
      ['servers', [{ url: `/${encodeURIComponent(service.version)}` }]],
      ...(service.authentication.scheme === 'none' ? ([['security', []]] as const) : []),
      ['paths', described],
      [
        'components',
        jsonObject([
          ['schemas', reachableSchemas(described, schemas)],
          ['securitySchemes', securitySchemes(service)],
        ]),
      ],
    ]),
  )
}

function paths(service: Service): JsonObject {
  const described = service.paths.map((path): readonly [string, Json] => [
    pathTemplate(path),
    jsonObject([
      ['description', description(path)],
      ...path.endpoints.map(endpoint => [endpoint.method.toLowerCase(), operationObject(endpoint, service)] as const),
    ]),
  ])
  return jsonObject([...described, ...propertyPaths(service), ...batchPath(service)])
}

function securitySchemes({ authentication }: Service): Json | undefined {
  if (authentication.scheme === 'none') return undefined
  const scopes = authentication.scopes.map(scope => `- \`${scope.name}\`: ${scope.description}`)
  const about = [description(authentication), scopes.length === 0 ? undefined : `Scopes:\n\n${scopes.join('\n')}`]
  const text = about.filter(part => part !== undefined).join('\n\n')
  return {
    bearer: jsonObject([
      ['type', 'http'],
      ['scheme', 'bearer'],
      ['description', text === '' ? undefined : text],
    ]),
  }
}
