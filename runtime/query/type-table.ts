/**
 * A service's types: plain data that generated code contains and that `serve` builds from a spec. The keys are unqualified
 * type names. Use `Object.hasOwn` to look them up.
 *
 * @see OData CSDL 4.01, chapters 6 to 10
 */
export type TypeTable = Readonly<Record<string, TypeInfo>>

export type TypeInfo = StructuredTypeInfo | EnumTypeInfo | TypeDefinitionInfo

/** An entity type or a complex type, including what it inherits. */
export interface StructuredTypeInfo {
  readonly kind: 'entityType' | 'complexType'
  /** The name in CSDL and in payloads, unless it is the service's namespace and the key of the type. */
  readonly qualifiedName?: string
  /** The names of the key properties in order. Empty for a complex type. */
  readonly key: readonly string[]
  readonly properties: Readonly<Record<string, PropertyInfo>>
  readonly navigation: Readonly<Record<string, NavigationInfo>>
  /** Undeclared properties are allowed. */
  readonly open?: true
  /** The unqualified name of the base type. */
  readonly base?: string
  /** No value has this type, only types derived from it. */
  readonly abstract?: true
  /** Set if items of this type have an entity tag. */
  readonly entityTag?: 'weak' | 'strong'
  /** Media entities: items of this type have a media stream. */
  readonly hasStream?: true
}

export interface PropertyInfo {
  /** The name of a primitive type, such as `Edm.String`, or the key of a type in the table. */
  readonly type: string
  readonly collection?: true
  readonly nullable?: true
  /** The service sets it. Neither create nor patch accepts it. */
  readonly computed?: true
  /** Create accepts it, patch does not. */
  readonly createOnly?: true
  /** Required in a create. */
  readonly required?: true
  /** Returned only if `$select` names it. */
  readonly onSelect?: true
  /** Returned even if `$select` does not name it. */
  readonly always?: true
  readonly minLength?: number
  readonly maxLength?: number
  readonly minItems?: number
  readonly maxItems?: number
  /** The number of digits of fractional seconds or of a decimal number. */
  readonly precision?: number
  readonly scale?: number | 'variable' | 'floating'
  readonly minimum?: number
  readonly maximum?: number
  /** An ECMAScript regular expression, anchored by its author. */
  readonly pattern?: string
  readonly default?: boolean | number | string | null
}

export interface NavigationInfo {
  /** The unqualified name of an entity type. */
  readonly type: string
  readonly collection?: true
  readonly nullable?: true
  readonly contained?: true
  /** The relation that leads back. */
  readonly partner?: string
  /** Dependent property of this type -> principal property of the related type. */
  readonly constraint?: Readonly<Record<string, string>>
}

export interface EnumTypeInfo {
  readonly kind: 'enumType'
  /** The name in CSDL and in payloads, unless it is the service's namespace and the key of the type. */
  readonly qualifiedName?: string
  readonly members: Readonly<Record<string, number>>
  /** Members can be combined, `a,b`. */
  readonly flags?: true
}

/** A named primitive type with facets. */
export interface TypeDefinitionInfo {
  readonly kind: 'typeDefinition'
  /** The name in CSDL and in payloads, unless it is the service's namespace and the key of the type. */
  readonly qualifiedName?: string
  /** The Edm primitive type, `Edm.String`. */
  readonly type: string
  readonly maxLength?: number
  readonly precision?: number
  readonly scale?: number | 'variable' | 'floating'
  readonly pattern?: string
}

/** The keys of types with a `qualifiedName`, cached for each table. */
const namesByTable = new WeakMap<TypeTable, ReadonlyMap<string, string>>()

/**
 * The key in a type table for a name: a key, a qualified name, or the value of `@odata.type`, which starts with `#`. Without a
 * `qualifiedName`, it is the last part of the name.
 */
export function typeKey(name: string, types: TypeTable | undefined): string {
  const plain = name.startsWith('#') ? name.slice(1) : name
  const dot = plain.lastIndexOf('.')
  if (dot < 0 || types === undefined) return plain.slice(dot + 1)
  return qualifiedNames(types).get(plain) ?? plain.slice(dot + 1)
}

function qualifiedNames(types: TypeTable): ReadonlyMap<string, string> {
  const known = namesByTable.get(types)
  if (known !== undefined) return known
  const names = new Map<string, string>()
  for (const [key, { qualifiedName }] of Object.entries(types)) {
    if (qualifiedName !== undefined) names.set(qualifiedName, key)
  }
  namesByTable.set(types, names)
  return names
}

/** The name of a type without its namespace and without the `#` of `@odata.type`. */
export function unqualified(name: string): string {
  return name.slice(Math.max(name.lastIndexOf('.'), name.lastIndexOf('#')) + 1)
}

/** The type in the table with the given name, qualified or not. */
export function typeNamed(name: string | undefined, types: TypeTable | undefined): TypeInfo | undefined {
  if (name === undefined || types === undefined) return undefined
  const key = typeKey(name, types)
  return Object.hasOwn(types, key) ? types[key] : undefined
}

export function structuredTypeInfo(
  name: string | undefined,
  types: TypeTable | undefined,
): StructuredTypeInfo | undefined {
  const type = typeNamed(name, types)
  return type?.kind === 'entityType' || type?.kind === 'complexType' ? type : undefined
}

export function enumType(name: string | undefined, types: TypeTable | undefined): EnumTypeInfo | undefined {
  const type = typeNamed(name, types)
  return type?.kind === 'enumType' ? type : undefined
}

/** Whether a type equals another one or derives from it. */
export function isSubtype(name: string, to: string, types: TypeTable | undefined): boolean {
  const target = typeKey(to, types)
  const seen = new Set<string>()
  let current: string | undefined = typeKey(name, types)
  while (current !== undefined && !seen.has(current)) {
    if (current === target) return true
    seen.add(current)
    current = structuredTypeInfo(current, types)?.base
  }
  return false
}
