import {
  type EnumMemberDocument,
  type EnumTypeDocument,
  type NavigationDocument,
  pointerTo,
  type ResourceDocument,
  record,
  type StructuredTypeDocument,
} from '../../../spec/language/index.js'
import { descriptionsOf, renameOf } from '../csdl/annotations.js'
import type { NamedElement } from '../csdl/catalogue.js'
import { type CsdlElement, childrenOf, isTrue, isUsableName } from '../csdl/csdl-element.js'
import { omission } from '../finding.js'
import { type ImportContext, unusableName } from '../names.js'
import { compact, oneOf } from '../spec-document.js'
import { importStructuredType } from './structured-types.js'
import { ancestorsOf, basesOf, importTypeDefinition, typeAndBases } from './type-definitions.js'

/** All types of a document, by their names in the spec. */
export function importResources(context: ImportContext): Readonly<Record<string, ResourceDocument>> {
  const { catalogue, names, origins } = context
  const bases = basesOf(context)
  const members = new Map<NamedElement, Set<string>>()
  const structured = new Map<NamedElement, StructuredTypeDocument>()
  const nameOf = (type: NamedElement): string => names.types.get(type.qualifiedName) ?? ''
  const add = (type: NamedElement): void => {
    const base = bases.get(type)
    const inherited = new Set(base === undefined ? [] : members.get(base))
    members.set(type, inherited)
    const hasKey = ancestorsOf(type, bases).some(({ element }) => childrenOf(element, 'Key').length > 0)
    const baseName = base === undefined ? undefined : nameOf(base)
    structured.set(type, importStructuredType(context, type, nameOf(type), baseName, inherited, hasKey))
  }
  const resources: (readonly [string, ResourceDocument])[] = []
  for (const type of catalogue.types.values()) {
    const name = names.types.get(type.qualifiedName)
    if (name === undefined) continue
    origins.set(pointerTo('/resources', name), type.element.location)
    const isStructured = type.element.name === 'EntityType' || type.element.name === 'ComplexType'
    // Bases first: the names of their members are taken.
    const line = isStructured ? [...ancestorsOf(type, bases)].reverse() : []
    for (const each of isStructured ? [...line, type] : []) if (!structured.has(each)) add(each)
    const imported =
      structured.get(type) ??
      (type.element.name === 'EnumType' ? importEnumType(context, type) : importTypeDefinition(context, type))
    if (imported === undefined) continue
    const isOwn = type.qualifiedName === `${catalogue.namespace}.${name}`
    resources.push([name, isOwn ? imported : named(imported, type.qualifiedName)])
  }
  return importPartners(context, record(resources), structured)
}

/** The name in CSDL comes first. */
function named(resource: ResourceDocument, qualifiedName: string): ResourceDocument {
  const head = { kind: resource.kind, qualifiedName }
  return Object.assign(head, resource)
}

type Resources = Readonly<Record<string, ResourceDocument>>

/**
 * The types with the partners of their relations. In a spec partners name each other; if a document names only one of
 * the two, the spec names both.
 *
 * @see OData CSDL 4.01, 8.4 (partner)
 */
function importPartners(
  context: ImportContext,
  resources: Resources,
  structured: ReadonlyMap<NamedElement, StructuredTypeDocument>,
): Resources {
  const { names, report } = context
  const partners = new Map<string, string>()
  const at = (type: string, relation: string): string => `${type}/${relation}`
  for (const { element, qualifiedName } of structured.keys()) {
    const type = names.types.get(qualifiedName)
    for (const { attributes, location } of childrenOf(element, 'NavigationProperty')) {
      const [name = '', partner] = [attributes.get('Name'), attributes.get('Partner')]
      const relation = type === undefined ? undefined : navigationOf(resources, type)?.[name]
      if (partner === undefined || relation === undefined || type === undefined) continue
      const other = findRelation(resources, relation.to, partner)
      const back = other === undefined ? undefined : navigationOf(resources, other)?.[partner]
      const isPair = back !== undefined && other !== undefined && isRelated(resources, back.to, type)
      const isFree = other !== undefined && [undefined, at(type, name)].includes(partners.get(at(other, partner)))
      if (!isPair || !isFree) {
        const message = 'Partners must refer to each other, and each relation has one partner'
        report(omission('partner', message, `${qualifiedName}/${name}: ${partner}`, location))
        continue
      }
      partners.set(at(type, name), at(other, partner))
      partners.set(at(other, partner), at(type, name))
    }
  }
  return record(
    Object.entries(resources).map(([type, resource]) => {
      if (!('navigation' in resource) || resource.navigation === undefined) return [type, resource]
      const navigation = Object.entries(resource.navigation).map(([name, relation]): [string, NavigationDocument] => {
        const partner = partners.get(at(type, name))
        return [name, partner === undefined ? relation : withPartner(relation, partner.slice(partner.indexOf('/') + 1))]
      })
      return [type, { ...resource, navigation: record(navigation) }]
    }),
  )
}

/** The partner comes before what is optional and long: constraints and descriptions. */
function withPartner(relation: NavigationDocument, partner: string): NavigationDocument {
  const { constraint, onDelete, ref, description, ...first } = relation
  return {
    ...first,
    partner,
    ...(constraint === undefined ? {} : { constraint }),
    ...(onDelete === undefined ? {} : { onDelete }),
    ...(ref === undefined ? {} : { ref }),
    ...(description === undefined ? {} : { description }),
  }
}

function navigationOf(resources: Resources, type: string): Readonly<Record<string, NavigationDocument>> | undefined {
  const resource = resources[type]
  return resource !== undefined && 'navigation' in resource ? resource.navigation : undefined
}

/** The type in a chain of types that declares a relation. */
function findRelation(resources: Resources, type: string, relation: string): string | undefined {
  return typeAndBases(resources, type).find(each => navigationOf(resources, each)?.[relation] !== undefined)
}

/** Whether one of two types derives from the other. */
function isRelated(resources: Resources, one: string, other: string): boolean {
  return typeAndBases(resources, one).includes(other) || typeAndBases(resources, other).includes(one)
}

const underlyingTypes = ['Byte', 'SByte', 'Int16', 'Int32', 'Int64'] as const

/** An enumeration; undefined if it has no member that a spec can express. @see OData CSDL 4.01, 10 */
function importEnumType(
  context: ImportContext,
  { qualifiedName, element }: NamedElement,
): EnumTypeDocument | undefined {
  const { annotations, report } = context
  const members = new Map<string, number | EnumMemberDocument>()
  const values = new Set<number>()
  const written = childrenOf(element, 'Member')
  const isFlags = isTrue(element, 'IsFlags')
  // By default, the value of a member is its index.
  const numberOf = ({ attributes }: CsdlElement, index: number): number => Number(attributes.get('Value') ?? index)
  const bits = written.map(numberOf).filter(isPowerOfTwo)
  for (const [index, member] of written.entries()) {
    const name = member.attributes.get('Name') ?? ''
    const path = `${qualifiedName}/${name}`
    const value = numberOf(member, index)
    const message = refusal(name, value, members, values)
    if (message !== undefined) {
      report(omission('enum-member', message, `${path}: ${member.attributes.get('Value') ?? index}`, member.location))
      continue
    }
    if (isFlags && !isCombination(value, bits)) {
      const message = 'The value of a flag must be a power of two, or a combination of members that are'
      report(omission('flag', message, `${path}: ${value}`, member.location))
      continue
    }
    values.add(value)
    const about = annotations.of(member, path)
    const lookup = { ...descriptionsOf(about), ...renameOf(about) }
    members.set(name, Object.keys(lookup).length === 0 ? value : { value, ...lookup })
  }
  if (members.size === 0) {
    report(omission('enum-empty', 'An enumeration must have at least one member', qualifiedName, element.location))
    return undefined
  }
  const underlying = oneOf(element.attributes.get('UnderlyingType')?.replace(/^Edm\./, ''), underlyingTypes)
  return compact({
    kind: 'enumType' as const,
    flags: isFlags || undefined,
    underlying: underlying === 'Int32' ? undefined : underlying,
    members: record(members),
    ...descriptionsOf(annotations.of(element, qualifiedName)),
    ...renameOf(annotations.of(element, qualifiedName)),
  })
}

/** Why a member cannot be in a spec; undefined for one that can. */
function refusal(
  name: string,
  value: number,
  members: ReadonlyMap<string, unknown>,
  values: ReadonlySet<number>,
): string | undefined {
  if (!isUsableName(name)) return unusableName
  if (members.has(name)) return 'Members of an enumeration must have unique names'
  if (!Number.isInteger(value)) return 'Values of enumeration members must be integers'
  if (!Number.isSafeInteger(value)) {
    return `Values of enumeration members must be between ${Number.MIN_SAFE_INTEGER} and ${Number.MAX_SAFE_INTEGER}, which JavaScript represents exactly`
  }
  return values.has(value) ? 'Members of an enumeration must have unique values; the import keeps the first' : undefined
}

const isPowerOfTwo = (value: number): boolean =>
  Number.isSafeInteger(value) && value > 0 && Number.isInteger(Math.log2(value))

function isCombination(value: number, bits: readonly number[]): boolean {
  let rest = BigInt(value)
  for (const bit of bits) rest &= ~BigInt(bit)
  return value >= 0 && rest === 0n
}
