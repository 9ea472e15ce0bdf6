import { codeName, type Service, type StructuredType } from '../../spec/language/index.js'
import { derivedStructuredTypes, longNumbers, writeSuffixes, writeUses } from '../emit/types/value-types.js'
import type { ExactNumbers } from '../generate-options.js'
import { fileName, isReservedType, operationIdentifier, typeIdentifier } from './identifiers.js'
import { type NamedType, type NameTable, namedTypes, type ResourceNode, resourceTree } from './name-table.js'

/**
 * Decides every name, and the type of long numbers: by default, none is rounded. A clash, or an element without a possible name, is
 * a problem with both locations.
 */
export function decideNames(
  service: Service,
  exactNumbers: ExactNumbers = longNumbers(service).length > 0 ? 'string' : 'number',
): { readonly names: NameTable; readonly problems: readonly NameProblem[] } {
  const types = new Map<NamedType, string>()
  for (const type of namedTypes(service)) types.set(type, type.rename ?? typeIdentifier(type.name))
  const names: NameTable = {
    exactNumbers,
    service: typeIdentifier(service.name),
    types,
    unions: unionNames(service, types),
    resources: resourceTree(service.endpoints),
  }
  return { names, problems: checkNames(service, names) }
}

/** The name of the function that creates a client of a service: `createDirectory`. */
export const clientFactory = (service: Service): string => `create${typeIdentifier(service.name)}`

/** Names that no type of the spec has. */
function unionNames(service: Service, types: ReadonlyMap<NamedType, string>): NameTable['unions'] {
  const taken = [...types.values()]
  const unions = new Map<StructuredType, string>()
  for (const [type, derived] of derivedStructuredTypes(service)) {
    if (derived.every(({ abstract }) => abstract)) continue
    let name = `Any${types.get(type) ?? ''}`
    while (taken.some(other => other.startsWith(name))) name += '_'
    unions.set(type, name)
  }
  return unions
}

/** The element that needs a name, for messages: `the entity type user`. */
interface Claimant {
  readonly what: string
  readonly at: string
  /** What gives the element another name in TypeScript. Default: `rename`. */
  readonly remedy?: 'name'
}

/** Finds names that are missing, or needed twice in one file, one object or one folder. */
function checkNames(service: Service, names: NameTable): readonly NameProblem[] {
  const problems: NameProblem[] = []

  /** A space of names: one file, one object, one folder. */
  const space = (where: string, key: (name: string) => string = name => name) => {
    const taken = new Map<string, Claimant>()
    return (name: string, claimant: Claimant): void => {
      const other = taken.get(key(name))
      if (other === undefined) taken.set(key(name), claimant)
      else problems.push(clash(name, where, claimant, other))
    }
  }
  const nameable = (name: string, { what, at }: Claimant): boolean => {
    if (name !== '') return true
    const message = `${what} cannot be named in TypeScript: expected a name with a letter or a digit`
    problems.push({ code: 'names/unnameable', message, at })
    return false
  }

  const serviceClaim = { what: `the service ${service.name}`, at: service.location.pointer }
  nameable(names.service, serviceClaim)

  const uses = writeUses(service)
  const types = space('types')
  if (service.enumTypes.length > 0) types('OpenEnum', { what: 'what every enumeration needs', at: '' })
  for (const type of namedTypes(service)) {
    const name = names.types.get(type) ?? ''
    const claimant = { what: `the ${kindWords[type.kind]} ${type.name}`, at: type.location.pointer }
    if (!nameable(name, claimant)) continue
    if (type.rename !== undefined && isReservedType(name)) {
      const message = `${claimant.what} cannot be called ${name}, which is a word of TypeScript. Choose another \`rename\`, such as ${typeIdentifier(name)}`
      problems.push({ code: 'names/reserved', message, at: `${claimant.at}/rename` })
    }
    types(name, claimant)
    if (type.kind !== 'entityType' && type.kind !== 'complexType') continue
    for (const use of uses.get(type) ?? []) types(name + writeSuffixes[use], claimant)
  }
  for (const type of service.enumTypes) {
    const constants = space(`the members of ${type.name}`)
    for (const member of type.members) {
      constants(codeName(member), { what: `the member ${member.name}`, at: member.location.pointer })
    }
  }
  for (const operation of service.operations) {
    const name = operationIdentifier(operation)
    const claimant = { what: `the operation ${operation.name}`, at: operation.location.pointer }
    if (nameable(name, claimant)) types(`${name}Parameters`, claimant)
  }

  const resources = space('resources')
  const files = space('handlers', name => name.normalize('NFC').toLowerCase())
  const visit = (node: ResourceNode): void => {
    const members = space(`the members of ${node.names.join('.') || service.name}`)
    for (const { name, identifier, endpoint } of node.endpoints) {
      const claimant = { what: `the endpoint ${endpoint.name}`, at: endpoint.location.pointer, remedy: 'name' } as const
      members(name, claimant)
      if (nameable(identifier, claimant)) resources(`${identifier}()`, claimant)
    }
    for (const child of node.children) {
      const claimant = { what: `the resource ${child.names.join('.')}`, at: firstPlace(child) }
      members(child.name, claimant)
      if (nameable(child.identifier, claimant)) resources(child.identifier, claimant)
      if (node === names.resources && nameable(fileName(child.name), claimant)) files(fileName(child.name), claimant)
      visit(child)
    }
  }
  visit(names.resources)
  return problems
}

const kindWords = {
  entityType: 'entity type',
  complexType: 'complex type',
  enumType: 'enumeration',
  typeDefinition: 'type definition',
} as const

function clash(name: string, where: string, claimant: Claimant, other: Claimant): NameProblem {
  const remedies = [...new Set([claimant, other].map(({ remedy = 'rename' }) => `\`${remedy}\``))].join(' or ')
  return {
    code: 'names/clash',
    message: `${claimant.what} and ${other.what} would both be called ${name} among ${where}. Rename one of them, or give one another name in TypeScript with ${remedies}`,
    at: claimant.at,
    related: { message: `${other.what} is here`, at: other.at },
  }
}

function firstPlace(node: ResourceNode): string {
  const [endpoint] = node.endpoints
  if (endpoint !== undefined) return endpoint.endpoint.location.pointer
  const [child] = node.children
  return child === undefined ? '' : firstPlace(child)
}

/** Two elements of the spec that need the same name in generated code, or one whose name is not possible. */
interface NameProblem {
  readonly code: 'names/clash' | 'names/unnameable' | 'names/reserved'
  readonly message: string
  /** JSON Pointer of the element. */
  readonly at: string
  readonly related?: { readonly message: string; readonly at: string }
}
