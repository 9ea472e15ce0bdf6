import {
  type Expression,
  type OrderbyItem,
  type PrimitiveType,
  primitiveType,
  printFilter,
  printOrderby,
} from '../../../runtime/query/index.js'

export type StructuredType = EntityType | ComplexType

/** An element whose name in code can differ from its name in the spec. */
export interface Renamed {
  /** The name in TypeScript. Absent: it follows from the name. */
  readonly rename?: string
}

/** The name that code derives its names from. */
export function codeName({ name, rename }: Renamed & { readonly name: string }): string {
  return rename ?? name
}

export interface EntityType extends Annotations, Renamed {
  readonly kind: 'entityType'
  /** In the spec, and in code. */
  readonly name: string
  /** In CSDL and on the wire, with its namespace. */
  readonly qualifiedName: string
  readonly base?: EntityType
  readonly abstract: boolean
  readonly open: boolean
  /** Key properties, in order; inherited keys included. */
  readonly key: readonly Property[]
  /** Other keys that paths can name; inherited ones first. */
  readonly alternateKeys: readonly AlternateKey[]
  /** Its items have no key: collections of them are lists without paths to items. */
  readonly keyless: boolean
  readonly entityTag: 'weak' | 'strong' | 'none'
  /** Media entities: each item has a media stream. */
  readonly hasStream: boolean
  /** Of the media stream; empty: any. */
  readonly mediaTypes: readonly string[]
  /** Own properties only. */
  readonly ownProperties: readonly Property[]
  readonly ownNavigation: readonly NavigationProperty[]
  /** Inherited first, then own. */
  readonly properties: readonly Property[]
  readonly navigation: readonly NavigationProperty[]
}

/** The properties whose values identify an item, like its key. One with a null identifies none. */
export type AlternateKey = readonly Property[]

export interface ComplexType extends Annotations, Renamed {
  readonly kind: 'complexType'
  /** In the spec, and in code. */
  readonly name: string
  /** In CSDL and on the wire, with its namespace. */
  readonly qualifiedName: string
  readonly base?: ComplexType
  readonly abstract: boolean
  readonly open: boolean
  readonly ownProperties: readonly Property[]
  readonly ownNavigation: readonly NavigationProperty[]
  readonly properties: readonly Property[]
  readonly navigation: readonly NavigationProperty[]
}

export interface EnumType extends Annotations, Renamed {
  readonly kind: 'enumType'
  /** In the spec, and in code. */
  readonly name: string
  /** In CSDL and on the wire, with its namespace. */
  readonly qualifiedName: string
  readonly flags: boolean
  readonly underlying: 'Byte' | 'SByte' | 'Int16' | 'Int32' | 'Int64'
  readonly members: readonly EnumMember[]
}

export interface EnumMember extends Annotations, Renamed {
  readonly name: string
  readonly value: number
}

export interface TypeDefinition extends Annotations, Facets, Renamed {
  readonly kind: 'typeDefinition'
  /** In the spec, and in code. */
  readonly name: string
  /** In CSDL and on the wire, with its namespace. */
  readonly qualifiedName: string
  readonly underlying: PrimitiveTypeName
}

/** The type of a property, parameter or result, without `collection`. */
export type ValueType =
  | { readonly kind: 'primitive'; readonly name: PrimitiveTypeName }
  | EnumType
  | ComplexType
  | EntityType
  | TypeDefinition

export interface Facets {
  readonly minLength?: number
  readonly maxLength?: number
  readonly minItems?: number
  readonly maxItems?: number
  readonly minimum?: number
  readonly maximum?: number
  readonly pattern?: string
  readonly precision?: number
  readonly scale?: number | 'variable' | 'floating'
  readonly unicode?: boolean
  readonly srid?: number | 'variable'
}

export interface Property extends Annotations, Facets {
  readonly kind: 'property'
  readonly name: string
  readonly type: ValueType
  readonly collection: boolean
  readonly nullable: boolean
  /** Of a Stream; absent: any. */
  readonly mediaTypes?: readonly string[]
  readonly computed: boolean
  readonly createOnly: boolean
  /** A create must include it: declared so, or single, not nullable, not computed and without a default. */
  readonly required: boolean
  readonly unique: boolean
  readonly returned: 'always' | 'byDefault' | 'onSelect'
  readonly default?: boolean | number | string | null
  /** Set to the current time when the item is created, or each time it is changed. */
  readonly stamp?: 'created' | 'changed'
  /** Responses write the DateTimeOffset in UTC. */
  readonly utc?: boolean
  readonly search: 'words' | 'prefix' | 'none'
  readonly index: boolean
}

export interface NavigationProperty extends Annotations, Renamed {
  readonly kind: 'navigationProperty'
  readonly name: string
  readonly type: EntityType
  readonly collection: boolean
  readonly nullable: boolean
  readonly contained: boolean
  readonly partner?: NavigationProperty
  readonly constraint: readonly { readonly dependent: string; readonly principal: string }[]
  readonly onDelete?: 'cascade' | 'none' | 'setNull' | 'restrict'
}

/**
 * All primitive types of CSDL, without `Edm.`.
 *
 * @see OData CSDL 4.01, 3.3 (primitive types)
 */
export const primitiveTypeNames = [
  'Binary',
  'Boolean',
  'Byte',
  'Date',
  'DateTimeOffset',
  'Decimal',
  'Double',
  'Duration',
  'Guid',
  'Int16',
  'Int32',
  'Int64',
  'SByte',
  'Single',
  'Stream',
  'String',
  'TimeOfDay',
  'Geography',
  'GeographyPoint',
  'GeographyLineString',
  'GeographyPolygon',
  'GeographyMultiPoint',
  'GeographyMultiLineString',
  'GeographyMultiPolygon',
  'GeographyCollection',
  'Geometry',
  'GeometryPoint',
  'GeometryLineString',
  'GeometryPolygon',
  'GeometryMultiPoint',
  'GeometryMultiLineString',
  'GeometryMultiPolygon',
  'GeometryCollection',
] as const

export type PrimitiveTypeName = (typeof primitiveTypeNames)[number]

const names: ReadonlySet<string> = new Set(primitiveTypeNames)

/** Whether a name is that of a primitive type, without `Edm.`. */
export function isPrimitiveTypeName(name: string): name is PrimitiveTypeName {
  return names.has(name)
}

/** A location in a spec: a JSON Pointer into the document. `Source.at(pointer)` gives line and column. */
export interface SpecLocation {
  readonly pointer: string
}

/** The annotations that any element can have. */
export interface Annotations {
  readonly location: SpecLocation
  /** Section of the interface. */
  readonly ref?: string
  readonly description?: string
  /** Why the spec states this although the interface does not. */
  readonly assumed?: string
}

/** A type and those that it inherits from, up to the first. A cycle ends at its first repetition. */
export function inheritanceChain(type: StructuredType): readonly StructuredType[] {
  const line = new Set<StructuredType>()
  for (let each: StructuredType | undefined = type; each !== undefined && !line.has(each); each = each.base)
    line.add(each)
  return [...line]
}

/** Whether a type is another one or derives from it. */
export function derivesFrom(type: StructuredType, base: StructuredType): boolean {
  for (let each: StructuredType | undefined = type; each !== undefined; each = each.base) if (each === base) return true
  return false
}

/** Whether values of a type are streams, which have paths of their own and are not part of an item. */
export function isStream(type: ValueType): boolean {
  return primitiveOf(type) === 'Stream'
}

/** The primitive type of a value, that of a type definition included; undefined for all other types. */
export function primitiveOf(type: ValueType): PrimitiveTypeName | undefined {
  if (type.kind === 'primitive') return type.name
  return type.kind === 'typeDefinition' ? type.underlying : undefined
}

const knownMembers = new WeakMap<StructuredType, ReadonlyMap<string, Property | NavigationProperty>>()

/** The properties and relations of a type. Types with hundreds of them are asked for each name of each query option. */
function membersByName(type: StructuredType): ReadonlyMap<string, Property | NavigationProperty> {
  const known = knownMembers.get(type)
  if (known !== undefined) return known
  const members = new Map([...type.navigation, ...type.properties].map(member => [member.name, member] as const))
  knownMembers.set(type, members)
  return members
}

/**
 * The property or relation that a path of names leads to from a type, `from/emailAddress`; undefined when it leads
 * nowhere. Names of derived types (casts) are not followed.
 */
export function followPath(type: StructuredType, path: string): Property | NavigationProperty | undefined {
  let from: StructuredType | undefined = type
  let found: Property | NavigationProperty | undefined
  for (const name of path.split('/')) {
    found = from === undefined ? undefined : membersByName(from).get(name)
    if (found === undefined) return undefined
    from = found.type.kind === 'entityType' || found.type.kind === 'complexType' ? found.type : undefined
  }
  return found
}

/** The kind of the values of a primitive type, given without `Edm.`. */
export function kindOfPrimitive(name: string): PrimitiveType['kind'] | undefined {
  return primitiveType(`Edm.${name}`)?.kind
}

export function isIntegerType(name: string): boolean {
  return kindOfPrimitive(name) === 'integer'
}

export function isNumericType(name: string): boolean {
  const kind = kindOfPrimitive(name)
  return kind === 'integer' || kind === 'decimal' || kind === 'double'
}

/** The least and the greatest value of an integer type. */
export function integerRange(name: string): readonly [least: bigint, greatest: bigint] | undefined {
  return primitiveType(`Edm.${name}`)?.range
}

/** The part of the range of an integer type that JavaScript numbers represent exactly. */
export function safeIntegerRange(name: string): readonly [least: number, greatest: number] | undefined {
  const range = integerRange(name)
  if (range === undefined) return undefined
  const [least, greatest] = range.map(Number)
  return [Math.max(least ?? 0, Number.MIN_SAFE_INTEGER), Math.min(greatest ?? 0, Number.MAX_SAFE_INTEGER)]
}

export interface Operation extends Annotations, Renamed {
  readonly kind: 'action' | 'function'
  /** In the spec, and in code: unique. */
  readonly name: string
  /** In CSDL; overloads share it, and paths call by its last part. */
  readonly qualifiedName: string
  readonly binding?: { readonly type: StructuredType; readonly collection: boolean }
  readonly parameters: readonly Parameter[]
  readonly returns?: ReturnType
  readonly composable: boolean
  readonly meaning?: Meaning
  /** The value of a function, on the item that it is bound to. Aliases are its parameters. */
  readonly definition?: Expression
}

export interface Parameter extends Annotations, Facets {
  readonly name: string
  readonly type: ValueType
  readonly collection: boolean
  readonly nullable: boolean
  readonly optional: boolean
  /** What the text of a String parameter must be. */
  readonly format?: 'dateTimeOffset' | 'date' | 'guid'
}

export interface ReturnType extends Annotations {
  readonly type: ValueType
  readonly collection: boolean
  readonly nullable: boolean
}

/** The query that defines the operation. */
export interface Meaning extends Annotations {
  readonly of: NavigationProperty
  readonly transitive: boolean
  /** Over the related items; aliases are the operation's parameters. */
  readonly filter?: Expression
  readonly orderby?: readonly OrderbyItem[]
  readonly value?: Property
}

/** The query of an operation's meaning as text, for exports in another format. */
export interface MeaningText {
  readonly filter?: string
  readonly orderby?: string
}

/** Prints the parsed definition of a function. The text can differ from that of the spec, but has the same meaning. */
export function definitionText({ definition }: Pick<Operation, 'definition'>): string | undefined {
  return definition === undefined ? undefined : printFilter(definition)
}

/** Prints the parsed query. The text can differ from that of the spec, but has the same meaning. */
export function meaningText({ filter, orderby }: Meaning): MeaningText {
  return {
    ...(filter === undefined ? {} : { filter: printFilter(filter) }),
    ...(orderby === undefined ? {} : { orderby: printOrderby(orderby) }),
  }
}
