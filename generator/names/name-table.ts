import type {
  ComplexType,
  Endpoint,
  EntityType,
  EnumType,
  Service,
  StructuredType,
  TypeDefinition,
} from '../../spec/language/index.js'
import type { ExactNumbers } from '../generate-options.js'
import { operationIdentifier, typeIdentifier, valueIdentifier } from './identifiers.js'

/** A type that generated code declares by name. */
export type NamedType = EntityType | ComplexType | EnumType | TypeDefinition

/** Every name that generated code uses, decided before any of it is written. */
export interface NameTable {
  /** The name of the client, `Directory`; `createDirectory` creates it. */
  readonly service: string
  /** The name of each type, `DriveItem`; `DriveItemCreate` and the like follow from it. */
  readonly types: ReadonlyMap<NamedType, string>
  /**
   * The name of the union of a structured type and those that derive from it, `AnyAddress`; `AnyAddressCreate` and the like follow
   * from it. Only types from which others derive have one.
   */
  readonly unions: ReadonlyMap<StructuredType, string>
  readonly resources: ResourceNode
  /** The TypeScript type of Int64 and Decimal. */
  readonly exactNumbers: ExactNumbers
}

/**
 * The name of a type.
 *
 * @throws an error for a type that is not the service's: a bug
 */
export function typeName(names: NameTable, type: NamedType): string {
  const name = names.types.get(type)
  if (name === undefined) throw new Error(`the type ${type.name} has no name`)
  return name
}

/** All named types, in the order of the spec within each kind. */
export const namedTypes = (service: Service): readonly NamedType[] => [
  ...service.entityTypes,
  ...service.complexTypes,
  ...service.enumTypes,
  ...service.typeDefinitions,
]

/** Every name that `types.ts` may export, so that no other file of the service declares one of them. */
export function typeExports(service: Service, names: NameTable): readonly string[] {
  return [
    'OpenEnum',
    ...namedTypes(service).flatMap(type => {
      const name = typeName(names, type)
      const isStructured = type.kind === 'entityType' || type.kind === 'complexType'
      return isStructured ? [name, `${name}Create`, `${name}Patch`, `${name}Replace`] : [name]
    }),
    ...[...names.unions.values()].flatMap(name => [name, `${name}Create`, `${name}Patch`]),
    ...service.operations.map(operation => `${operationIdentifier(operation)}Parameters`),
  ]
}

interface Draft {
  readonly name: string
  readonly names: readonly string[]
  readonly endpoints: EndpointNode[]
  readonly children: Map<string, Draft>
}

/** The endpoints of a service as a tree, in the order of the spec. */
export function resourceTree(endpoints: readonly Endpoint[]): ResourceNode {
  const root: Draft = { name: '', names: [], endpoints: [], children: new Map() }
  for (const endpoint of endpoints) {
    const names = endpoint.name.split('.')
    let draft = root
    for (const name of names.slice(0, -1)) {
      const child = draft.children.get(name) ?? {
        name,
        names: [...draft.names, name],
        endpoints: [],
        children: new Map(),
      }
      draft.children.set(name, child)
      draft = child
    }
    draft.endpoints.push({ name: names.at(-1) ?? '', identifier: pascal(names), endpoint })
  }
  return finish(root)
}

const pascal = (names: readonly string[]): string => names.map(typeIdentifier).join('')

const finish = ({ name, names, endpoints, children }: Draft): ResourceNode => ({
  name,
  names,
  path: endpoints.map(({ endpoint }) => resourcePath(endpoint)).reduce(shorter, `/${names.join('/')}`),
  identifier: pascal(names),
  constant: valueIdentifier(names.join('-')),
  endpoints,
  children: [...children.values()].map(finish),
})

function shorter(path: string, other: string, index: number): string {
  return index === 0 || other.length < path.length ? other : path
}

/** The template of an endpoint without what follows its resource: a key, `$count`, `delta`, the operation. */
function resourcePath({ path, resolved }: Endpoint): string {
  const { template } = path
  const last = resolved.at(-1)
  const cut =
    last?.kind === 'alternateKey' || (last?.kind === 'key' && last.style === 'parentheses')
      ? template.lastIndexOf('(')
      : last?.kind === 'key' || last?.kind === 'count' || last?.kind === 'delta' || last?.kind === 'operation'
        ? template.lastIndexOf('/')
        : template.length
  return template.slice(0, cut) || '/'
}

/** One step of the dotted names of endpoints, such as `client.me.messages` in code. */
export interface ResourceNode {
  /** `messages`; empty for the service itself. */
  readonly name: string
  /** `['me', 'messages']` */
  readonly names: readonly string[]
  /** Where it is, `/me/messages`. */
  readonly path: string
  /** Start of the names of its interfaces, `MeMessages`. */
  readonly identifier: string
  /** Name of its constant, `meMessages`. */
  readonly constant: string
  readonly endpoints: readonly EndpointNode[]
  readonly children: readonly ResourceNode[]
}

export interface EndpointNode {
  /** The last step of its name, `list`. */
  readonly name: string
  /** Start of the names of its types, `MeMessagesList`. */
  readonly identifier: string
  readonly endpoint: Endpoint
}
