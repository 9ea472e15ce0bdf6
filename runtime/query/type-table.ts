/**
 * What the query language has to know of a service's types: plain data, printed into generated code, built from the
 * spec's model at start. Keys are unqualified type names; a test for membership uses `Object.hasOwn`.
 *
 * @see OData CSDL 4.01, chapters 6 to 10
 */
export type TypeTable = Readonly<Record<string, TypeInfo>>

export type TypeInfo = StructuredTypeInfo | EnumTypeInfo | TypeDefinitionInfo

/** An entity type or a complex type, with what it inherits already folded in. */
export interface StructuredTypeInfo {
  readonly kind: 'entityType' | 'complexType'
  /** In CSDL and on the wire, when it is not the service's namespace and the type's key. */
  readonly qualifiedName?: string
  /** Names of the key properties, in order; empty for a complex type. */
  readonly key: readonly string[]
  readonly properties: Readonly<Record<string, PropertyInfo>>
  readonly navigation: Readonly<Record<string, NavigationInfo>>
  /** Properties that are not declared are allowed. */
  readonly open?: true
  /** The unqualified name of the base type. */
  readonly base?: string
  /** `weak` or `strong` when items of this type carry an entity tag. */
  readonly entityTag?: 'weak' | 'strong'
}

/** One structural property. */
export interface PropertyInfo {
  /** `Edm.String` and so on for a primitive type; otherwise the unqualified name of a type of the table. */
  readonly type: string
  readonly collection?: true
  readonly nullable?: true
  /** Set by the service: neither create nor patch accepts it. */
  readonly computed?: true
  /** A create accepts it, a patch does not. */
  readonly createOnly?: true
  /** A create must have it. */
  readonly required?: true
  /** Returned only when it is named in `$select`. */
  readonly onSelect?: true
  /** Returned even when `$select` does not name it. */
  readonly always?: true
  readonly minLength?: number
  readonly maxLength?: number
  readonly minItems?: number
  readonly maxItems?: number
  /** Digits of fractional seconds, or of a decimal number. */
  readonly precision?: number
  readonly scale?: number | 'variable' | 'floating'
  readonly minimum?: number
  readonly maximum?: number
  /** An ECMAScript regular expression, anchored by its author. */
  readonly pattern?: string
  readonly default?: boolean | number | string | null
}

/** One relation. */
export interface NavigationInfo {
  /** The unqualified name of an entity type. */
  readonly type: string
  readonly collection?: true
  readonly nullable?: true
  readonly contained?: true
}

export interface EnumTypeInfo {
  readonly kind: 'enumType'
  /** In CSDL and on the wire, when it is not the service's namespace and the type's key. */
  readonly qualifiedName?: string
  readonly members: Readonly<Record<string, number>>
  /** Several members may be combined, `a,b`. */
  readonly flags?: true
}

/** A primitive type under a name of its own, with its facets. */
export interface TypeDefinitionInfo {
  readonly kind: 'typeDefinition'
  /** In CSDL and on the wire, when it is not the service's namespace and the type's key. */
  readonly qualifiedName?: string
  /** The Edm primitive type, `Edm.String`. */
  readonly type: string
  readonly maxLength?: number
  readonly precision?: number
  readonly scale?: number | 'variable' | 'floating'
  readonly pattern?: string
}

/** What types of other namespaces, or of other names than their keys, are called: made once a table. */
const namesByTable = new WeakMap<TypeTable, ReadonlyMap<string, string>>()

/**
 * The key in a type table of what a name stands for: a key, a qualified name, or that of `@odata.type`, which begins with `#`.
 * Of a type that the table has under its own name, it is the last part.
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

/** A type's name without its namespace and without the `#` of `@odata.type`. */
export function unqualified(name: string): string {
  return name.slice(Math.max(name.lastIndexOf('.'), name.lastIndexOf('#')) + 1)
}

/** The type of the table that a name, qualified or not, stands for. */
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

/** Whether a type is the other or derives from it. */
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
