import { isPrimitiveTypeName, type PrimitiveTypeName } from '../../spec/language/index.js'
import { typeIdentifier } from '../names/identifiers.js'
import type { AnnotationIndex } from './csdl/annotations.js'
import type { Catalogue, NamedElement } from './csdl/catalogue.js'
import {
  type CsdlElement,
  type CsdlLocation,
  isTrue,
  isUsableName,
  localName,
  namespaceOf,
  tellingSegment,
  textOf,
  typeReference,
} from './csdl/csdl-element.js'
import { omission, type ReportFinding } from './finding.js'

/** The names of the types and operations of a document in the spec. */
interface ImportNames {
  /** By qualified name. A type that is absent cannot be named. */
  readonly types: ReadonlyMap<string, string>
  /** An operation that is absent cannot be named. */
  readonly operations: ReadonlyMap<NamedElement, string>
}

/**
 * Names types and operations so that no two clash, neither in the spec nor in generated code: their own name if it is free,
 * else with the end of their namespace or, for an overload, its binding type.
 *
 * @param isExport the document is an export, so its names are already valid
 */
export function importNames(
  catalogue: Catalogue,
  annotations: AnnotationIndex,
  isExport: boolean,
  chosen: ChosenNames,
  report: ReportFinding,
): ImportNames {
  const { types, operations } = catalogue
  for (const { qualifiedName, element } of [...types.values(), ...operations]) {
    const name = localName(qualifiedName)
    if (!isUsableName(name)) report(omission('name', unusableName, name, element.location))
  }
  const claims = nameAllocator(['OpenEnum'])
  const named = typeNames(catalogue, annotations, isExport, chosen, claims)
  return { types: named, operations: operationNames(catalogue, annotations, named, chosen, claims) }
}

/** The names that the user chose instead of those in the metadata. */
export interface ChosenNames {
  /** The chosen name of an element, for any of its names: the qualified one first. Undefined: the user chose none. */
  readonly of: (...names: readonly string[]) => string | undefined
  /** The names in the metadata that no element has, or none that can be renamed. */
  readonly unused: () => readonly string[]
}

/** @param rename the new name of each element, by its qualified name or its name without the namespace */
export function chosenNames(rename: Readonly<Record<string, string>> = {}): ChosenNames {
  const chosen = new Map(Object.entries(rename))
  const used = new Set<string>()
  return {
    of: (...names) => {
      const name = names.find(each => chosen.has(each))
      if (name !== undefined) used.add(name)
      return name === undefined ? undefined : chosen.get(name)
    },
    unused: () => [...chosen.keys()].filter(name => !used.has(name)),
  }
}

export const unusableName =
  'Names must be simple identifiers of CSDL, contain a letter or a digit, and not be "__proto__"'

function typeNames(
  { types, namespace }: Catalogue,
  annotations: AnnotationIndex,
  isExport: boolean,
  chosen: ChosenNames,
  { allocate: claim }: NameAllocator,
): ReadonlyMap<string, string> {
  const usable = [...types.values()].filter(({ qualifiedName }) => isUsableName(localName(qualifiedName)))
  const isOwn = ({ qualifiedName }: NamedElement): boolean => namespaceOf(qualifiedName) === namespace
  // The types of the service's own namespace first, so that they keep their names.
  const ordered = [...usable.filter(isOwn), ...usable.filter(type => !isOwn(type))]
  return new Map(
    ordered.map(({ qualifiedName, element }) => {
      const local = localName(qualifiedName)
      const stated = textOf(annotations.of(element, qualifiedName)('Specwright.Name'))
      const space = namespaceOf(qualifiedName)
      const own = [local, prefixed(tellingSegment(space) ?? localName(space), local), `${local}Type`]
      const candidates = [chosen.of(qualifiedName, local), stated, ...own].filter(name => name !== undefined)
      const suffixes = isExport ? [''] : suffixesOf(element)
      const name = claim(
        candidates.filter(each => isUsableName(each) && !isPrimitiveTypeName(each)),
        each => suffixes.map(suffix => typeIdentifier(each) + suffix),
      )
      return [qualifiedName, name] as const
    }),
  )
}

/** The suffixes of the types in generated code: the bodies of a create, a patch and a replacement. */
const suffixesOf = ({ name }: CsdlElement): readonly string[] =>
  name === 'EntityType' || name === 'ComplexType' ? ['', 'Create', 'Patch', 'Replace'] : ['']

/** The names that are taken in the spec and in its generated code. */
interface NameAllocator {
  /**
   * Claims the first candidate that is free, or the first candidate with a number after it.
   *
   * @param identifiers the identifiers that a name claims
   */
  readonly allocate: (candidates: readonly string[], identifiers: (name: string) => readonly string[]) => string
}

function nameAllocator(reserved: readonly string[]): NameAllocator {
  const taken = new Set(reserved)
  /** The next number to try after a name: lower ones are taken. */
  const numbers = new Map<string, number>()
  return {
    allocate: (candidates, identifiers) => {
      const [first = 'name'] = candidates
      const isFree = (name: string): boolean => !identifiers(name).some(identifier => taken.has(identifier))
      let name = candidates.find(isFree)
      for (let number = numbers.get(first) ?? 2; name === undefined; number++) {
        const numbered = `${first.slice(0, longestStem)}${number}`
        numbers.set(first, number + 1)
        if (isFree(numbered)) name = numbered
      }
      for (const identifier of identifiers(name)) taken.add(identifier)
      return name
    },
  }
}

/** Short enough for a number after it. */
const longestStem = 120

/** `security`, `alert` -> `securityAlert`. */
function prefixed(prefix: string, name: string): string {
  const [first = ''] = name
  return prefix + first.toUpperCase() + name.slice(first.length)
}

/**
 * Operations by their own names; overloads have the binding type before it.
 *
 * @param types the names of the types in the spec
 */
function operationNames(
  catalogue: Catalogue,
  annotations: AnnotationIndex,
  types: ReadonlyMap<string, string>,
  chosen: ChosenNames,
  { allocate: claim }: NameAllocator,
): ReadonlyMap<NamedElement, string> {
  const usable = catalogue.operations.filter(({ qualifiedName }) => isUsableName(localName(qualifiedName)))
  const counts = new Map<string, number>()
  for (const { qualifiedName } of usable) {
    const local = localName(qualifiedName)
    counts.set(local, (counts.get(local) ?? 0) + 1)
  }
  return new Map(
    usable.map(operation => {
      const { element, qualifiedName } = operation
      const local = localName(qualifiedName)
      const stated = textOf(annotations.of(element, qualifiedName)('Specwright.Name'))
      const bound = boundName(operation, catalogue, types)
      const overload = bound === undefined ? local : prefixed(bound, local)
      const own = counts.get(local) === 1 ? [local, overload] : [overload]
      const given = chosen.of(qualifiedName, local)
      // Overloads cannot share a name of the spec.
      const first = given === undefined || counts.get(local) === 1 ? given : prefixed(bound ?? '', given)
      const candidates = [first, stated, ...own].filter(name => name !== undefined).filter(isUsableName)
      const name = claim(candidates, each => [`${typeIdentifier(each)}Parameters`, `operation ${each}`])
      return [operation, name] as const
    }),
  )
}

/** The binding of an operation, for its name: `user`, `userCollection`. */
function boundName(
  { element }: NamedElement,
  { qualify }: Catalogue,
  types: ReadonlyMap<string, string>,
): string | undefined {
  if (!isTrue(element, 'IsBound')) return undefined
  const binding = element.children.find(({ name }) => name === 'Parameter')?.attributes.get('Type') ?? ''
  const { name, collection } = typeReference(binding)
  const type = types.get(qualify(name))
  return type === undefined ? undefined : `${type}${collection ? 'Collection' : ''}`
}

/** The context of every part of the import. */
export interface ImportContext {
  readonly catalogue: Catalogue
  readonly names: ImportNames
  readonly annotations: AnnotationIndex
  readonly chosen: ChosenNames
  readonly report: ReportFinding
  /** The document was exported from a spec, so what it does not state is not in the spec. */
  readonly isExport: boolean
  /** The source of each part of the spec in the document, by JSON Pointer. */
  readonly origins: Map<string, CsdlLocation>
}

/** A type that a property, parameter or result names. */
export interface ImportedType {
  /** Its name in the spec. */
  readonly type: string
  readonly collection: boolean
  /** The primitive type on the wire, even for a type definition; absent for enumerations and structured types. */
  readonly primitive?: PrimitiveTypeName
  /** Absent for a primitive type. */
  readonly named?: NamedElement
}

/** The type that an element names; a type that a spec cannot name is reported. */
export function importType(
  context: ImportContext,
  element: CsdlElement,
  what: string,
  attribute = 'Type',
): ImportedType | undefined {
  const { catalogue, names, report } = context
  const { name, collection } = typeReference(element.attributes.get(attribute) ?? 'Edm.String')
  if (name.startsWith('Edm.')) {
    const primitive = name.slice('Edm.'.length)
    if (isPrimitiveTypeName(primitive)) return { type: primitive, collection, primitive }
    report(omission('type', `A spec has no type ${name}; what is of that type is left out`, what, element.location))
    return undefined
  }
  const qualified = catalogue.qualify(name)
  const named = catalogue.types.get(qualified)
  const type = names.types.get(qualified)
  if (named === undefined || type === undefined) {
    report(
      omission(
        'unknown-type',
        'Types that the document does not declare cannot be used',
        `${what}: ${name}`,
        element.location,
      ),
    )
    return undefined
  }
  const primitive = underlyingOf(named.element)
  return { type, collection, named, ...(primitive === undefined ? {} : { primitive }) }
}

/** The underlying type of a type definition. */
function underlyingOf({ name, attributes }: CsdlElement): PrimitiveTypeName | undefined {
  const underlying = name === 'TypeDefinition' ? (attributes.get('UnderlyingType') ?? '').replace(/^Edm\./, '') : ''
  return isPrimitiveTypeName(underlying) ? underlying : undefined
}
