import {
  codeName,
  functionsInFilters,
  type Operation,
  type Service,
  type StructuredType,
  type ValueType,
} from '../../../spec/language/index.js'
import type { GeneratedFile } from '../../generated-file.js'
import { operationIdentifier, valueIdentifier } from '../../names/identifiers.js'
import { type NameTable, type ResourceNode, typeExports } from '../../names/name-table.js'
import { scope } from '../../text/file-scope.js'
import { literalUnion, propertyName, stringLiteral } from '../../text/literals.js'
import { renderTemplate } from '../../text/render-template.js'
import { annotatedDocs } from '../doc-comments.js'
import { type CodeFile, codeFile, type EmitContext } from '../emit-context.js'
import { derivedEntityTypes, derivedStructuredTypes, valueTypeText } from '../types/value-types.js'
import { entityShapes, requiredHeadersTable } from './conditions.js'
import { filtersReachRelations, literalFormats } from './literal-formats.js'
import {
  commonErrorCodes,
  linkView,
  type OperationContext,
  type OperationView,
  operationView,
  propertyView,
} from './operations.js'
import { argumentTypes, literalFormatName, pathText } from './path-arguments.js'
import { queryTypes } from './query-types.js'

/** A resource, or the service itself: its operations, and the resources below it. */
interface ResourceView {
  readonly docs: readonly string[]
  readonly type: string
  readonly constant: string
  readonly operations: readonly OperationView[]
  readonly children: readonly { readonly name: string; readonly type: string; readonly constant: string }[]
}

/** The names of arguments of the functions in the file. */
const locals = ['connection', 'exact', 'resources', 'options', 'parameters', 'undefined']

/**
 * `client.ts`: one constant for each resource, so that an app bundles only what it uses; and `literal-formats.ts`, if the
 * client needs formats. They have a separate file, because the compiler follows each name in a constant back through all
 * constants above it.
 */
export function emitClient(context: EmitContext): readonly GeneratedFile[] {
  const { service, names } = context
  const declared = scope([...typeExports(service, names), ...locals])
  const root = {
    type: declared.claim(names.service, 'Client'),
    constant: declared.claim(`create${names.service}`, '_'),
  }
  const commonCodesType = declared.claim('CommonErrorCode', '_')
  const bigInts =
    names.exactNumbers === 'bigint'
      ? {
          name: declared.claim('withBigInts', '_'),
          table: declared.claim('int64Members', '_'),
          members: int64Members(service),
        }
      : undefined
  const nodes = [names.resources, ...resourcesBelow(names.resources)]
  const resourceNames = new Map(
    nodes.map(node => [node, node === names.resources ? root : declaredNames(node, declared.claim)] as const),
  )
  const file = codeFile(context, 'client', declared)
  const formats = literalFormats(context, filtersReachRelations(service), file)
  const shapes = entityShapes(service, file)
  const endpoints = nodes.flatMap(node => node.endpoints)
  const paths = new Map(endpoints.map(({ endpoint }) => [endpoint, pathText(endpoint, file)]))
  const commonCodes = commonErrorCodes(service)
  const operations: OperationContext = {
    service,
    file,
    paths,
    argumentTypes: argumentTypes(paths, file),
    queries: queryTypes(derivedEntityTypes(service), file),
    formats,
    conditions: requiredHeadersTable(file),
    commonCodes: new Set(commonCodes),
    commonCodesType,
    shapeOf: shapes.nameOf,
  }
  const namesOf = (node: ResourceNode): { readonly type: string; readonly constant: string } => {
    const found = resourceNames.get(node)
    if (found === undefined) throw new Error(`the resource ${node.names.join('.')} has no name`)
    return found
  }
  const view = (node: ResourceNode, docs: readonly string[]): ResourceView => ({
    docs,
    ...namesOf(node),
    operations: [
      ...node.endpoints.map(endpoint => operationView(endpoint, operations)),
      ...[propertyView(node, operations), linkView(node, operations)].filter(view => view !== undefined),
    ],
    children: node.children.map(child => ({ name: child.name, ...namesOf(child) })),
  })
  const client = view(names.resources, serviceDocs(service))
  const resources = resourcesBelow(names.resources).map(node => ({
    ...view(node, [node.path]),
    constantDocs: [`\`${node.path}\` alone, for a small bundle.`],
  }))
  const text = renderTemplate(
    'client',
    {
      service: client,
      createDocs: [
        `Creates a client of ${service.title}, ${service.version}. \`baseUrl\` ends with the version: \`https://service.example/${service.version}\`.`,
      ],
      exactNumbers: exactOptions(names, bigInts?.name, file),
      bigInts,
      batch: batchView(names.resources, context),
      commonCodesType,
      commonCodes: literalUnion(commonCodes),
      resources,
      argumentTypes: operations.argumentTypes.views(),
      shapes: shapes.views(),
      queries: operations.queries.views(),
      conditions: operations.conditions.views(),
      filterFunctions: filterFunctions(service, file),
    },
    file,
  )
  return [{ path: 'client.ts', text, kind: 'generated' }, ...formats.files()]
}

/** The options of a connection with exact numbers; empty if numbers are JavaScript's. */
function exactOptions({ exactNumbers }: NameTable, withBigInts: string | undefined, file: CodeFile): string {
  if (exactNumbers === 'number') return ''
  if (withBigInts !== undefined) return `${withBigInts}(options)`
  return `{ ...options, interceptors: [...(options.interceptors ?? []), ${file.runtime('exactNumbers')}] }`
}

/** Where values are Int64, as `bigIntJson` of the client reads it: the sets, singletons and types that lead to one. */
function int64Members(service: Service): Readonly<Record<string, string | Readonly<Record<string, string>>>> {
  const derived = derivedStructuredTypes(service)
  const types: readonly StructuredType[] = [...service.entityTypes, ...service.complexTypes]
  const members = (type: StructuredType) => [...type.properties, ...type.navigation]
  const leading = new Set<ValueType>(service.typeDefinitions.filter(({ underlying }) => underlying === 'Int64'))
  const leads = (type: ValueType): boolean => leading.has(type) || (type.kind === 'primitive' && type.name === 'Int64')
  for (let size = -1; size < leading.size; ) {
    size = leading.size
    for (const type of types)
      if (members(type).some(member => leads(member.type)) || derived.get(type)?.some(leads)) leading.add(type)
  }
  const nameOf = (type: ValueType): string =>
    type.kind === 'primitive' || type.kind === 'typeDefinition' ? 'Edm.Int64' : type.qualifiedName
  return Object.fromEntries([
    ...service.container.flatMap(({ name, type }) => (leads(type) ? [[name, type.qualifiedName] as const] : [])),
    ...types.filter(leads).map(type => {
      const inner = members(type).filter(member => leads(member.type))
      return [type.qualifiedName, Object.fromEntries(inner.map(each => [each.name, nameOf(each.type)]))] as const
    }),
    ...service.typeDefinitions.filter(leads).map(type => [type.qualifiedName, 'Edm.Int64'] as const),
  ])
}

/** How the client sends batches. Undefined: the service has none. */
function batchView({ endpoints, children }: ResourceNode, { service, names }: EmitContext) {
  if (service.features.batch === 'none') return undefined
  const name = [...endpoints, ...children].some(each => each.name === 'batch') ? 'batch_' : 'batch'
  return { name, literal: stringLiteral(name), options: names.exactNumbers === 'number' ? 'options' : 'exact' }
}

const declaredNames = (node: ResourceNode, claim: (name: string, suffix: string) => string) => ({
  type: claim(node.identifier, 'Resource'),
  constant: claim(node.constant, 'Resource'),
})

const serviceDocs = ({ title, description }: Service): readonly string[] => [
  title + (description === undefined ? '' : `: ${description}`),
]

/** All resources but the service itself, outer ones first. */
const resourcesBelow = (node: ResourceNode): readonly ResourceNode[] =>
  node.children.flatMap(child => [child, ...resourcesBelow(child)])

/** A function of the service that filters can call, as `templates/client.hbs` shows it. */
interface FilterFunctionView {
  readonly docs: readonly string[]
  readonly name: string
  readonly type: string
  readonly value: string
}

/** A constant for each function of the service that filters can call. */
export function filterFunctions(service: Service, file: CodeFile): readonly FilterFunctionView[] {
  return functionsInFilters(service).map(operation => view(operation, file))
}

function view(operation: Operation, file: CodeFile): FilterFunctionView {
  const { qualifiedName, binding, parameters, returns } = operation
  const given = parameters.length === 0 ? 'object' : file.typeReference(`${operationIdentifier(operation)}Parameters`)
  const result =
    returns === undefined
      ? 'unknown'
      : valueTypeText(file.names, { ...returns, nullable: false }, 'read', file.typeReference)
  const formats = parameters.flatMap(parameter => {
    const format = literalFormatName(parameter.type, file.names)
    return format === undefined ? [] : [`${propertyName(parameter.name)}: ${file.runtime(format)}`]
  })
  const [type, create] =
    binding === undefined ? ['UnboundFunction', 'unboundFunction'] : ['BoundFunction', 'boundFunction']
  const bound = binding === undefined ? '' : `, on items of ${binding.type.name}`
  const literal = formats.length === 0 ? '{}' : `{ ${formats.join(', ')} }`
  return {
    docs: [`\`${qualifiedName}\` in filters${bound}.`, ...annotatedDocs(operation)],
    name: file.scope.claim(valueIdentifier(codeName(operation)), 'Of'),
    type: `${file.runtime(type)}<${given}, ${result}>`,
    value: `${file.runtime(create)}(${stringLiteral(qualifiedName)}, ${literal})`,
  }
}
