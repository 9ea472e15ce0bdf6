import { functionNames } from '../../runtime/query/index.js'
import { loadSpecText, type Service } from '../../spec/language/index.js'
import { openStore } from '../store/open-store.js'
import type { Store } from '../store/store.js'

/** A service with a property of every comparable kind, for tests of query semantics. */
const text = `
specwright: 1
service: { name: samples, title: Samples, namespace: samples, version: v1 }
authentication: { scheme: none }
resources:
  sample:
    kind: entityType
    key: [id]
    entityTag: weak
    properties:
      id: { type: String }
      name: { type: String, search: words, index: true }
      note: { type: String, nullable: true, index: true, search: prefix }
      flag: { type: Boolean, nullable: true }
      count: { type: Int32, nullable: true }
      big: { type: Int64, nullable: true }
      price: { type: Decimal, nullable: true, scale: variable }
      score: { type: Double, nullable: true }
      code: { type: Guid, nullable: true }
      day: { type: Date, nullable: true }
      moment: { type: DateTimeOffset, nullable: true, index: true }
      clock: { type: TimeOfDay, nullable: true }
      span: { type: Duration, nullable: true }
      mood: { type: mood, nullable: true }
      rights: { type: rights, nullable: true }
      part: { type: part, nullable: true }
      tags: { type: String, collection: true }
      numbers: { type: Int32, collection: true }
      parts: { type: part, collection: true }
    navigation:
      next: { to: sample, nullable: true }
      friends: { to: sample, collection: true }
  note: { kind: entityType, open: true, key: [id], properties: { id: { type: Int32, computed: true }, text: { type: String } } }
  part:
    kind: complexType
    properties:
      label: { type: String, nullable: true }
      size: { type: Int32, nullable: true }
      weight: { type: Decimal, nullable: true, scale: variable }
      ready: { type: Boolean, nullable: true }
      made: { type: DateTimeOffset, nullable: true }
      lasts: { type: Duration, nullable: true }
      mood: { type: mood, nullable: true }
      rights: { type: rights, nullable: true }
      words: { type: String, collection: true }
      inner: { type: inner, nullable: true }
  inner:
    kind: complexType
    properties:
      label: { type: String, nullable: true }
  mood: { kind: enumType, members: { low: -1, even: 0, high: 10 } }
  rights: { kind: enumType, flags: true, members: { none: 0, read: 1, write: 2, both: 3, share: 4 } }
container:
  samples: { entitySet: sample }
  notes: { entitySet: note }
queryOptions:
  samples.list:
    select: true
    filter:
      operators: [eq, ne, gt, ge, lt, le, and, or, not, in, has, add, sub, mul, div, divby, mod, negate]
      functions: [${functionNames.filter(name => !name.startsWith('geo.')).join(', ')}, $count]
      lambdas: [any, all]
      properties: { next: true, friends: true }
    orderby: true
    expand: { relations: [next, friends], maxDepth: 2, nested: [select, filter, orderby, top, skip, count, expand, levels] }
    top: { default: 7, max: 100, above: clamp }
    skip: true
    count: true
    search: { syntax: words, join: [AND, OR, NOT] }
paths:
  /samples:
    get: { returns: collection, query: samples.list }
    post: { creates: sample }
  /samples/{id}:
    get: { returns: item }
    patch: { updates: item, ifMatch: optional }
    put: { updates: item, ifMatch: optional }
    delete: { deletes: item, ifMatch: optional }
  /samples/$count: { get: { returns: count } }
  /samples/{id}/friends: { get: { returns: collection, query: samples.list } }
  /samples/{id}/next: { get: { returns: item, absent: 204 } }
  /notes: { get: { returns: collection, query: samples.list }, post: { creates: note } }
  /notes/{id}: { get: { returns: item }, patch: { updates: item }, put: { updates: item } }
  /samples/delta: { get: { returns: delta } }
features: { trackChanges: optional }
errors:
  notFound: { status: 404, code: not-found, message: There is no such sample. }
open:
  topMeaning: { legal: [pageSize], reference: pageSize }
`

export function sampleService(): Service {
  const { service, diagnostics } = loadSpecText(text, 'samples.yaml')
  if (service === undefined) throw new Error(diagnostics.map(({ message }) => message).join('\n'))
  return service
}

/** A store for the samples, without a service. */
export function openSampleStore(address: string): Promise<Store> {
  return openStore({ spec: sampleService(), store: address, now: () => new Date(Date.UTC(2024, 5, 1, 12)) })
}
