import { address, properties, statuses } from './model.mjs'

/**
 * The model as the OpenAPI 3.1 document that a careful author would write by hand: parameters and error responses are
 * shared, and one schema with `readOnly` members serves reading and writing. It is shorter than a document derived from
 * the spec, to the advantage of the generators that read it.
 *
 * @param {import('./model.mjs').Model} model
 */
export function openapi({ entities }) {
  return {
    openapi: '3.1.0',
    info: { title: 'Synthetic', version: 'v1.0' },
    servers: [{ url: 'http://localhost/v1.0' }],
    security: [{ bearer: [] }],
    paths: Object.fromEntries(entities.flatMap(paths)),
    components: {
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } },
      parameters,
      responses: {
        Error: { description: 'The request failed.', content: json(reference('schemas', 'Error')) },
      },
      schemas: { ...shared, ...Object.fromEntries(entities.flatMap(schemas)) },
    },
  }
}

const reference = (group, name) => ({ $ref: `#/components/${group}/${name}` })
const json = schema => ({ 'application/json': { schema } })
const capital = name => `${name[0].toUpperCase()}${name.slice(1)}`
const query = (name, schema) => ({ name, in: 'query', required: false, explode: false, schema })
const names = { type: 'array', items: { type: 'string' } }

const parameters = {
  id: { name: 'id', in: 'path', required: true, schema: { type: 'string' } },
  select: query('$select', names),
  expand: query('$expand', names),
  filter: query('$filter', { type: 'string' }),
  orderby: query('$orderby', names),
  top: query('$top', { type: 'integer', minimum: 0 }),
  skip: query('$skip', { type: 'integer', minimum: 0 }),
  count: query('$count', { type: 'boolean' }),
}

const shared = {
  Error: {
    type: 'object',
    required: ['error'],
    properties: {
      error: {
        type: 'object',
        required: ['code', 'message'],
        properties: { code: { type: 'string' }, message: { type: 'string' } },
      },
    },
  },
  Status: { type: 'string', enum: statuses },
  Address: {
    type: 'object',
    properties: Object.fromEntries(address.map(name => [name, { type: ['string', 'null'] }])),
  },
}

const formats = {
  String: { type: 'string' },
  Boolean: { type: 'boolean' },
  Int32: { type: 'integer', format: 'int32' },
  Double: { type: 'number', format: 'double' },
  Guid: { type: 'string', format: 'uuid' },
  Date: { type: 'string', format: 'date' },
  DateTimeOffset: { type: 'string', format: 'date-time' },
}

function schema({ type, collection, nullable, computed, maxLength }) {
  const plain = formats[type]
  if (plain === undefined) {
    const named = reference('schemas', capital(type))
    return nullable ? { oneOf: [named, { type: 'null' }] } : named
  }
  if (collection) return { type: 'array', items: plain }
  return {
    ...plain,
    ...(nullable && { type: [plain.type, 'null'] }),
    ...(computed && { readOnly: true }),
    ...(maxLength !== undefined && { maxLength }),
  }
}

function schemas({ type, related }) {
  const name = capital(type)
  const members = Object.entries(properties).map(([key, facts]) => [key, schema(facts)])
  return [
    [
      name,
      {
        type: 'object',
        properties: { ...Object.fromEntries(members), related: schema({ type: related, nullable: true }) },
      },
    ],
    [
      `${name}Collection`,
      {
        type: 'object',
        required: ['value'],
        properties: {
          value: { type: 'array', items: reference('schemas', name) },
          '@odata.count': { type: 'integer' },
          '@odata.nextLink': { type: 'string' },
        },
      },
    ],
  ]
}

function paths({ type, set }) {
  const name = capital(type)
  const item = reference('schemas', name)
  const operation = (verb, status, content, rest = {}) => ({
    operationId: `${verb}${name}`,
    tags: [set],
    ...rest,
    responses: {
      [status]: { description: 'The request succeeded.', ...(content !== undefined && { content: json(content) }) },
      default: reference('responses', 'Error'),
    },
  })
  const options = keys => ({ parameters: keys.map(key => reference('parameters', key)) })
  const body = { requestBody: { required: true, content: json(item) } }
  return [
    [
      `/${set}`,
      {
        get: operation(
          'list',
          200,
          reference('schemas', `${name}Collection`),
          options(['select', 'filter', 'orderby', 'expand', 'top', 'skip', 'count']),
        ),
        post: operation('create', 201, item, body),
      },
    ],
    [
      `/${set}/{id}`,
      {
        parameters: [reference('parameters', 'id')],
        get: operation('get', 200, item, options(['select', 'expand'])),
        patch: operation('update', 200, item, body),
        delete: operation('delete', 204, undefined),
      },
    ],
  ]
}
