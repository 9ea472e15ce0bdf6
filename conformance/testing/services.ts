import { loadSpecText, type Service } from '../../spec/language/index.js'

const { service, diagnostics } = loadSpecText(
  `
specwright: 1
service: { name: shelf, title: Shelf, namespace: shelf, version: v1 }
authentication: { scheme: none }
resources:
  thing:
    kind: entityType
    key: [id]
    properties:
      id: { type: String, computed: true }
      name: { type: String, nullable: true, maxLength: 200 }
      size: { type: Int32, nullable: true }
      isNew: { type: Boolean, nullable: true }
      made: { type: Date, nullable: true }
      note: { type: String, nullable: true }
  label:
    kind: entityType
    key: [id]
    properties:
      id: { type: String, computed: true }
      text: { type: String, nullable: true }
      rank: { type: Int32, nullable: true, returned: onSelect }
container: { labels: { entitySet: label }, things: { entitySet: thing } }
queryOptions:
  all:
    select: true
    filter: { operators: [eq, ne, gt, ge, lt, le, and, or, not], functions: [contains, startsWith] }
    orderby: true
    top: { default: 2, max: 4, above: clamp }
    skip: true
    count: true
paths:
  /labels: { get: { returns: collection, query: all } }
  /things: { get: { returns: collection, query: all }, post: { creates: thing } }
  /things/{id}: { get: { returns: item }, patch: { updates: item }, delete: { deletes: item } }
open:
  topMeaning: { legal: [total, pageSize], reference: pageSize, description: What $top limits. }
  defaultProjection: { legal: [all, limited], reference: all, description: What comes unasked. }
  stringOrder: { legal: [ordinal, caseInsensitive, locale], reference: ordinal, description: How texts sort. }
errors:
  notFound: { status: 404, code: notFound, message: None. }
`,
  'shelf.yaml',
)
if (service === undefined) throw new Error(diagnostics.map(({ message }) => message).join('\n'))

/**
 * A small service with a list of three properties and one of six, each with pages of two and a maximum `$top` of four.
 */
export const shelf: Service = service

/** A service with this number of entity sets. Each has nine endpoints: of the set, of its items, and of items in them. */
export function serviceWithSets(sets: number): Service {
  const numbers = Array.from({ length: sets }, (_, index) => index + 1)
  const text = `
specwright: 1
service: { name: many, title: Many, namespace: many, version: v1 }
authentication: { scheme: bearer, missing: unauthenticated }
resources:
${numbers.map(resources).join('')}
container: { ${numbers.map(number => `things${number}: { entitySet: thing${number} }`).join(', ')} }
queryOptions:
  all:
    select: true
    filter: { operators: [eq, ne, gt, ge, lt, le, and, or, not], functions: [contains, startsWith] }
    orderby: true
    top: { default: 5, max: 100, above: clamp }
    skip: true
    count: true
paths:
${numbers.map(paths).join('')}
errors:
  unauthenticated: { status: 401, code: unauthenticated, message: Sign in. }
  notFound: { status: 404, code: notFound, message: None. }
`
  const { service, diagnostics } = loadSpecText(text, 'many.yaml')
  if (service === undefined)
    throw new Error(
      diagnostics
        .slice(0, 5)
        .map(({ message }) => message)
        .join('\n'),
    )
  return service
}

function resources(number: number): string {
  return `
  thing${number}:
    kind: entityType
    key: [id]
    properties:
      id: { type: String, computed: true }
      name: { type: String, nullable: true }
      size: { type: Int32, nullable: true }
    navigation:
      parts: { to: part${number}, collection: true, contained: true }
  part${number}:
    kind: entityType
    key: [id]
    properties:
      id: { type: String, computed: true }
      label: { type: String, nullable: true }
`
}

function paths(number: number): string {
  const set = `/things${number}`
  return `
  ${set}: { get: { returns: collection, query: all }, post: { creates: thing${number} } }
  ${set}/$count: { get: { returns: count, query: all } }
  ${set}/{id}: { get: { returns: item }, patch: { updates: item }, delete: { deletes: item } }
  ${set}/{id}/parts: { get: { returns: collection, query: all }, post: { creates: part${number} } }
  ${set}/{id}/parts/{partId}: { get: { returns: item } }
`
}
