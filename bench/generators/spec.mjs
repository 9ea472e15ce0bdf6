import { address, properties, statuses } from './model.mjs'

/**
 * The model as a spec of Specwright.
 *
 * @param {import('./model.mjs').Model} model
 * @returns {string} YAML
 */
export function spec({ entities }) {
  return [
    head,
    ...entities.map(entityType),
    'container:',
    ...entities.map(({ type, set }) => `  ${set}: { entitySet: ${type} }`),
    '',
    'paths:',
    ...entities.map(paths),
    errors,
  ].join('\n')
}

const flow = facts =>
  `{ ${Object.entries(facts)
    .map(([key, value]) => `${key}: ${value}`)
    .join(', ')} }`

const head = `specwright: 1
service:
  name: synthetic
  title: Synthetic
  namespace: synthetic
  version: v1.0

authentication: { scheme: bearer, missing: unauthenticated }

queryOptions:
  list:
    select: true
    filter: true
    orderby: true
    expand: { relations: [related] }
    top: { default: 100, max: 999, above: open }
    skip: true
    count: true
  item:
    select: true
    expand: { relations: [related] }

resources:
  status: { kind: enumType, members: ${flow(Object.fromEntries(statuses.map((name, value) => [name, value])))} }
  address:
    kind: complexType
    properties:
${address.map(name => `      ${name}: { type: String, nullable: true }`).join('\n')}`

const structural = Object.entries(properties)
  .map(([name, facts]) => `      ${name}: ${flow(facts)}`)
  .join('\n')

function entityType({ type, related }) {
  return `  ${type}:
    kind: entityType
    key: [id]
    properties:
${structural}
    navigation:
      related: { to: ${related}, nullable: true }
`
}

function paths({ type, set }) {
  return `  /${set}:
    get: { returns: collection, query: list }
    post: { creates: ${type}, status: 201 }
  /${set}/{id}:
    get: { returns: item, query: item, errors: [itemNotFound] }
    patch: { updates: item, errors: [itemNotFound] }
    delete: { deletes: item, status: 204, errors: [itemNotFound] }
`
}

const errors = `errors:
  unauthenticated: { status: 401, code: unauthenticated, message: "Sign in." }
  itemNotFound: { status: 404, code: itemNotFound, message: "The item does not exist." }

open:
  topAboveMaximum: { legal: [error, clamp], reference: clamp }
`
