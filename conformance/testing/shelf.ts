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
