import {
  type EndpointDocument,
  endpointName,
  type OperationDocument,
  type PathDocument,
  parseTemplate,
  type ResourceDocument,
  type SpecDocument,
} from '../../../spec/language/index.js'
import type { TermLookup } from '../csdl/annotations.js'
import { memberOf, numberOf, type RecordValue, recordsOf, textOf, textsOf } from '../csdl/csdl-element.js'
import { compact, oneOf, safeRecord } from '../spec-document.js'
import { typeAndBases } from '../types/type-definitions.js'
import { descriptionOfRecord } from './chapters.js'
import { exportedQueryOptions } from './query-options.js'

/** What the endpoints of an exported document refer to. */
interface ExportedReferences {
  readonly resources: Readonly<Record<string, ResourceDocument>>
  readonly operations: Readonly<Record<string, OperationDocument>>
  /** Errors that the spec declares. Every endpoint knows the built-in ones. */
  readonly errors: ReadonlySet<string>
}

/** The chapters `paths` and `queryOptions` of an exported document. */
export function exportedPaths(
  lookup: TermLookup,
  references: ExportedReferences,
): Pick<SpecDocument, 'paths' | 'queryOptions'> {
  const options = new Map(
    recordsOf(lookup('Specwright.QueryOptions')).map(each => [
      textOf(memberOf(each, 'Name')) ?? '',
      exportedQueryOptions(each),
    ]),
  )
  const paths = recordsOf(lookup('Specwright.Paths'))
  const inline = inlineQueries(lookup, [...options.keys()], paths)
  const queryOf = (name: string) => (inline.has(name) ? options.get(name) : name)
  const named = [...options].filter(([name]) => !inline.has(name))
  return compact({
    queryOptions: named.length === 0 ? undefined : safeRecord(named),
    paths: safeRecord(
      paths.map(path => {
        const template = textOf(memberOf(path, 'Template')) ?? ''
        const endpoints = recordsOf(memberOf(path, 'Endpoints')).map(
          endpoint =>
            [
              (textOf(memberOf(endpoint, 'Method')) ?? '').toLowerCase(),
              exportedEndpoint(endpoint, template, references, queryOf),
            ] as const,
        )
        const document: PathDocument = {
          ...descriptionOfRecord(path),
          ...compact({ resource: textOf(memberOf(path, 'Resource')) }),
          ...safeRecord(endpoints),
        }
        return [template, document] as const
      }),
    ),
  })
}

type QueryOf = (name: string) => unknown

const verbs: Readonly<Record<string, string>> = {
  collection: 'list',
  item: 'get',
  count: 'count',
  delta: 'delta',
  create: 'create',
  update: 'update',
  replace: 'replace',
  delete: 'delete',
  createMedia: 'create',
  readStream: 'get',
  replaceStream: 'replace',
  deleteStream: 'delete',
}

function exportedEndpoint(
  endpoint: RecordValue,
  template: string,
  references: ExportedReferences,
  queryOf: QueryOf,
): EndpointDocument {
  const text = (member: string): string | undefined => textOf(memberOf(endpoint, member))
  const [kind = '', type = '', calls = '', query] = [text('Kind'), text('Type'), text('Calls'), text('Query')]
  const segments = parseTemplate(template)
  const usualName = 'message' in segments ? undefined : endpointName(segments, verbs[kind])
  const name = text('Name')
  const status = numberOf(memberOf(endpoint, 'Status'))
  const support = text('Support')
  const errors = textsOf(memberOf(endpoint, 'Errors'))?.filter(error => references.errors.has(error))
  const absent = numberOf(memberOf(endpoint, 'Absent'))
  return compact({
    ...endpointAction(kind, type, calls),
    query: query === undefined ? undefined : queryOf(query),
    name: name === usualName ? undefined : name,
    status: status === defaultStatus(kind, references.operations[calls]) ? undefined : status,
    support: support === 'required' ? undefined : oneOf(support, ['optional', 'none'] as const),
    ifMatch: kind.endsWith('Stream')
      ? streamSupport(text('IfMatch'))
      : conditionalSupport(text('IfMatch'), type, references),
    ifNoneMatch: kind.endsWith('Stream')
      ? streamSupport(text('IfNoneMatch'))
      : kind === 'item'
        ? conditionalSupport(text('IfNoneMatch'), type, references)
        : supported(text('IfNoneMatch')),
    absent: absent === 204 ? absent : undefined,
    scopes: textsOf(memberOf(endpoint, 'Scopes')),
    errors: errors === undefined || errors.length === 0 ? undefined : errors,
    prefer: textsOf(memberOf(endpoint, 'Prefer')),
    ...descriptionOfRecord(endpoint),
  })
}

function endpointAction(kind: string, type: string, calls: string): Readonly<Record<string, string>> {
  switch (kind) {
    case 'createMedia':
    case 'create':
      return { creates: type }
    case 'update':
    case 'replace':
      return { updates: type }
    case 'delete':
      return { deletes: type }
    case 'readStream':
      return { returns: 'stream' }
    case 'replaceStream':
      return { updates: 'stream' }
    case 'deleteStream':
      return { deletes: 'stream' }
    case 'call':
      return { calls }
    default:
      return { returns: kind }
  }
}

function defaultStatus(kind: string, operation: OperationDocument | undefined): number {
  if (kind === 'create' || kind === 'createMedia') return 201
  if (/^(?:delete|replaceStream|deleteStream)$/.test(kind) || (kind === 'call' && operation?.returns === undefined))
    return 204
  return 200
}

const supported = (word: string | undefined): 'required' | 'optional' | undefined =>
  oneOf(word, ['required', 'optional'] as const)

/** Support of a conditional header for a stream, unless it is the default. */
const streamSupport = (word: string | undefined): 'required' | 'none' | undefined =>
  oneOf(word, ['required', 'none'] as const)

/** Support of a conditional header, unless it is the default for the type. */
function conditionalSupport(
  word: string | undefined,
  type: string,
  { resources }: ExportedReferences,
): 'required' | 'optional' | 'none' | undefined {
  const tags = typeAndBases(resources, type).flatMap(each => {
    const resource = resources[each]
    return resource !== undefined && 'entityTag' in resource ? (resource.entityTag ?? []) : []
  })
  const usual = (tags[0] ?? 'none') === 'none' ? 'none' : 'optional'
  return word === usual ? undefined : oneOf(word, ['required', 'optional', 'none'] as const)
}

/**
 * The query options that the spec writes at an endpoint, without their own name: they come last, have the names of their only
 * endpoints, and are in the order of these.
 *
 * @param names of all query options
 */
function inlineQueries(
  lookup: TermLookup,
  names: readonly string[],
  paths: readonly RecordValue[],
): ReadonlySet<string> {
  const order = new Map<string, number>()
  const users = new Map<string, string[]>()
  for (const path of paths) {
    for (const endpoint of recordsOf(memberOf(path, 'Endpoints'))) {
      const name = textOf(memberOf(endpoint, 'Name')) ?? ''
      const query = textOf(memberOf(endpoint, 'Query'))
      order.set(name, order.size)
      if (query === undefined) continue
      const known = users.get(query) ?? []
      known.push(name)
      users.set(query, known)
    }
  }
  const assumed = recordsOf(lookup('Specwright.Assumptions')).map(each => textOf(memberOf(each, 'Element')) ?? '')
  const isNamed = (name: string): boolean => assumed.some(element => `${element}/`.startsWith(`queryOptions/${name}/`))
  const inline = new Set<string>()
  let before = Number.POSITIVE_INFINITY
  for (const name of [...names].reverse()) {
    const [user, ...others] = users.get(name) ?? []
    const place = order.get(name) ?? -1
    if (user !== name || others.length > 0 || place >= before || isNamed(name)) break
    inline.add(name)
    before = place
  }
  return inline
}
