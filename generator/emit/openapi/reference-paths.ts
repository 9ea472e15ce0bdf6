import type { Endpoint, Path, Service } from '../../../spec/language/index.js'
import { ownerUpdate } from '../client/operations.js'
import { type Json, type JsonObject, jsonObject } from '../emit-context.js'
import { security } from './operation.js'
import { headerParameters, pathParameters, pathTemplate } from './parameters.js'
import { errorResponses } from './responses.js'

/**
 * The paths to the links of relations, `/books/{isbn}/authors/$ref`: read where the related items are read, and changed where
 * the item is patched.
 *
 * @see OData Protocol 4.01, 11.2.9 (entity references) and 11.4.6 (modifying relationships)
 */
export function referencePaths(service: Service): readonly (readonly [template: string, item: JsonObject])[] {
  if (service.features.references === 'none') return []
  return service.paths.flatMap(path => {
    const operations = referenceOperations(path, service)
    return operations.length === 0 ? [] : [[`${pathTemplate(path)}/$ref`, jsonObject(operations)] as const]
  })
}

function referenceOperations({ endpoints }: Path, service: Service): readonly (readonly [string, Json])[] {
  const reader = endpoints.find(({ kind }) => kind === 'collection' || kind === 'item')
  const last = reader?.resolved.at(-1)
  if (reader === undefined || last?.kind !== 'navigation') return []
  const { name, collection, contained } = last.property
  const to = (verb: string, summary: string, updater: Endpoint, more: readonly (readonly [string, Json])[]): Json =>
    jsonObject([
      ['operationId', `${reader.name}.${verb}Reference`],
      ['summary', summary],
      ['security', security(updater, service)],
      ['parameters', [...pathParameters(reader), ...headerParameters(updater, service)]],
      ...more,
      ['responses', { ...done, ...errorResponses(updater, service) }],
    ])
  const read = jsonObject([
    ['operationId', `${reader.name}.readReference`],
    ['summary', `Read the ${collection ? 'links' : 'link'} of ${name}`],
    ['security', security(reader, service)],
    ['parameters', pathParameters(reader)],
    [
      'responses',
      {
        '200': {
          description: collection ? 'The links.' : 'The link.',
          content: jsonContent(collection ? links : link),
        },
        ...(collection ? {} : { '204': { description: 'There is no related item.' } }),
        ...errorResponses(reader, service),
      },
    ],
  ])
  const updater = contained ? undefined : ownerUpdate(reader, service)
  if (updater === undefined) return [['get', read]]
  const body = [['requestBody', { required: true, content: jsonContent(link) }]] as const
  if (!collection) {
    return [
      ['get', read],
      ['put', to('set', `Replace the link of ${name}`, updater, body)],
      ['delete', to('clear', `Remove the link of ${name}`, updater, [])],
    ]
  }
  const removed = jsonObject([
    ['operationId', `${reader.name}.removeReference`],
    ['summary', `Remove a link of ${name}`],
    ['security', security(updater, service)],
    ['parameters', [...pathParameters(reader), id, ...headerParameters(updater, service)]],
    ['responses', { ...done, ...errorResponses(updater, service) }],
  ])
  return [
    ['get', read],
    ['post', to('add', `Add a link to ${name}`, updater, body)],
    ['delete', removed],
  ]
}

const done: JsonObject = { '204': { description: 'Success.' } }

const jsonContent = (schema: Json): JsonObject => ({ 'application/json': { schema } })

const link: Json = {
  type: 'object',
  required: ['@odata.id'],
  properties: { '@odata.id': { type: 'string', description: 'The URL of the related item.' } },
}

const links: Json = { type: 'object', required: ['value'], properties: { value: { type: 'array', items: link } } }

const id: Json = {
  name: '$id',
  in: 'query',
  required: true,
  description: 'The URL of the related item.',
  schema: { type: 'string' },
}
