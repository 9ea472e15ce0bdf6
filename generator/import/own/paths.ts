import type {
  EndpointDocument,
  OperationDocument,
  PathDocument,
  ResourceDocument,
  SpecDocument,
} from '../../../spec/language/index.js'
import { endpointName } from '../../../spec/language/resolve/endpoint-name.js'
import { parseTemplate } from '../../../spec/language/resolve/path/path-template.js'
import type { Said } from '../annotations/annotation-index.js'
import { memberOf, numberOf, type RecordValue, recordsOf, textOf, textsOf } from '../annotations/value.js'
import { compact } from '../spec/compact.js'
import { oneOf } from '../spec/one-of.js'
import { lineOf } from '../types/line-of.js'
import { inlineQueries } from './inline-queries.js'
import { ownQueryOptions } from './query-options.js'
import { saidIn } from './said-in.js'
import { tableOf } from './table-of.js'

/** What the endpoints of an exported document refer to. */
export interface OwnReferences {
  readonly resources: Readonly<Record<string, ResourceDocument>>
  readonly operations: Readonly<Record<string, OperationDocument>>
  /** Errors that the spec declares; the built-in ones are known to every endpoint. */
  readonly errors: ReadonlySet<string>
}

/** The chapters `paths` and `queryOptions` of an exported document. */
export function ownPaths(said: Said, references: OwnReferences): Pick<SpecDocument, 'paths' | 'queryOptions'> {
  const options = new Map(
    recordsOf(said('Specwright.QueryOptions')).map(each => [
      textOf(memberOf(each, 'Name')) ?? '',
      ownQueryOptions(each),
    ]),
  )
  const paths = recordsOf(said('Specwright.Paths'))
  const inline = inlineQueries(said, [...options.keys()], paths)
  const queryOf = (name: string) => (inline.has(name) ? options.get(name) : name)
  const named = [...options].filter(([name]) => !inline.has(name))
  return compact({
    queryOptions: named.length === 0 ? undefined : tableOf(named),
    paths: tableOf(
      paths.map(path => {
        const template = textOf(memberOf(path, 'Template')) ?? ''
        const endpoints = recordsOf(memberOf(path, 'Endpoints')).map(
          endpoint =>
            [
              (textOf(memberOf(endpoint, 'Method')) ?? '').toLowerCase(),
              ownEndpoint(endpoint, template, references, queryOf),
            ] as const,
        )
        const document: PathDocument = {
          ...saidIn(path),
          ...compact({ resource: textOf(memberOf(path, 'Resource')) }),
          ...tableOf(endpoints),
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
}

function ownEndpoint(
  endpoint: RecordValue,
  template: string,
  references: OwnReferences,
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
    ...doing(kind, type, calls),
    query: query === undefined ? undefined : queryOf(query),
    name: name === usualName ? undefined : name,
    status: status === usualStatus(kind, references.operations[calls]) ? undefined : status,
    support: support === 'required' ? undefined : oneOf(support, ['optional', 'none'] as const),
    ifMatch: condition(text('IfMatch'), type, references),
    ifNoneMatch: kind === 'item' ? condition(text('IfNoneMatch'), type, references) : supported(text('IfNoneMatch')),
    absent: absent === 204 ? absent : undefined,
    scopes: textsOf(memberOf(endpoint, 'Scopes')),
    errors: errors === undefined || errors.length === 0 ? undefined : errors,
    prefer: textsOf(memberOf(endpoint, 'Prefer')),
    ...saidIn(endpoint),
  })
}

function doing(kind: string, type: string, calls: string): Readonly<Record<string, string>> {
  switch (kind) {
    case 'create':
      return { creates: type }
    case 'update':
    case 'replace':
      return { updates: type }
    case 'delete':
      return { deletes: type }
    case 'call':
      return { calls }
    default:
      return { returns: kind }
  }
}

function usualStatus(kind: string, operation: OperationDocument | undefined): number {
  if (kind === 'create') return 201
  if (kind === 'delete' || (kind === 'call' && operation?.returns === undefined)) return 204
  return 200
}

const supported = (word: string | undefined): 'required' | 'optional' | undefined =>
  oneOf(word, ['required', 'optional'] as const)

/** Support of a conditional header, unless it is what follows from the type. */
function condition(
  word: string | undefined,
  type: string,
  { resources }: OwnReferences,
): 'required' | 'optional' | 'none' | undefined {
  const tags = lineOf(resources, type).flatMap(each => {
    const resource = resources[each]
    return resource !== undefined && 'entityTag' in resource ? (resource.entityTag ?? []) : []
  })
  const usual = (tags[0] ?? 'none') === 'none' ? 'none' : 'optional'
  return word === usual ? undefined : oneOf(word, ['required', 'optional', 'none'] as const)
}
