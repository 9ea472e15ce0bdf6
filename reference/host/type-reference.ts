import type {
  EnumType,
  NavigationProperty,
  Property,
  Service,
  StructuredType,
  TypeDefinition,
  ValueType,
} from '../../spec/language/index.js'

/** A type of the service as the page shows it. */
export interface TypeView {
  /** Of its element on the page. */
  readonly id: string
  readonly name: string
  /** `entity type` and so on. */
  readonly kind: string
  readonly qualifiedName: string
  readonly description: string | undefined
  readonly base: TypeLink | undefined
  /** `abstract`, `open`. */
  readonly notes: string
  readonly members: readonly MemberView[]
}

interface TypeLink {
  readonly name: string
  /** Absent for primitive types. */
  readonly href: string | undefined
}

/** A property, a relation, or the member of an enumeration. */
interface MemberView {
  readonly name: string
  /** Undefined for members of an enumeration. */
  readonly type: TypeLink | undefined
  /** `key, computed`. */
  readonly notes: string
  readonly description: string | undefined
}

/** All types of a service, in the order of the spec. */
export function typeViews(service: Service): readonly TypeView[] {
  return [
    ...service.entityTypes.map(type => structuredView(type, 'entity type', type.key)),
    ...service.complexTypes.map(type => structuredView(type, 'complex type', [])),
    ...service.enumTypes.map(enumView),
    ...service.typeDefinitions.map(definitionView),
  ]
}

const idOf = (name: string): string => `type-${name}`

const linkTo = (type: ValueType, collection = false): TypeLink => ({
  name: collection ? `${type.name}[]` : type.name,
  href: type.kind === 'primitive' ? undefined : `#${idOf(type.name)}`,
})

function head({ name, qualifiedName, description }: StructuredType | EnumType | TypeDefinition) {
  return { id: idOf(name), name, qualifiedName, description }
}

/** Inherited members are at the base type. */
function structuredView(type: StructuredType, kind: string, key: readonly Property[]): TypeView {
  return {
    ...head(type),
    kind,
    base: type.base && linkTo(type.base),
    notes: listed([
      type.abstract && 'abstract',
      type.open && 'open: items can have undeclared properties',
      type.kind === 'entityType' && type.hasStream && 'media: each item is a stream',
    ]),
    members: [
      ...type.ownProperties.map(property => propertyView(property, key.includes(property))),
      ...type.ownNavigation.map(navigationView),
    ],
  }
}

function propertyView(property: Property, isKey: boolean): MemberView {
  const { name, type, collection, description, nullable, returned, maxLength, minLength, maximum, minimum } = property
  const notes = listed([
    isKey && 'key',
    property.required && 'required in a create',
    property.computed && 'set by the service',
    property.createOnly && 'cannot be changed',
    nullable && !collection && 'nullable',
    property.unique && 'unique',
    returned === 'onSelect' && 'returned only if selected',
    minLength !== undefined && `at least ${minLength} characters`,
    maxLength !== undefined && `at most ${maxLength} characters`,
    minimum !== undefined && `at least ${minimum}`,
    maximum !== undefined && `at most ${maximum}`,
    property.pattern !== undefined && `matches ${property.pattern}`,
    property.default !== undefined && property.default !== null && `default ${property.default}`,
  ])
  return { name, type: linkTo(type, collection), notes, description }
}

function navigationView({ name, type, collection, nullable, contained, description }: NavigationProperty): MemberView {
  const notes = listed(['relation', contained && 'contained', nullable && !collection && 'nullable'])
  return { name, type: linkTo(type, collection), notes, description }
}

function enumView(type: EnumType): TypeView {
  return {
    ...head(type),
    kind: 'enumeration',
    base: undefined,
    notes: listed([type.flags && 'flags: a value can have several members']),
    members: type.members.map(({ name, value, description }) => ({
      name,
      type: undefined,
      notes: String(value),
      description,
    })),
  }
}

function definitionView(type: TypeDefinition): TypeView {
  const { underlying, maxLength, pattern } = type
  const notes = listed([
    maxLength !== undefined && `at most ${maxLength} characters`,
    pattern !== undefined && `matches ${pattern}`,
  ])
  return { ...head(type), kind: 'type definition', base: { name: underlying, href: undefined }, notes, members: [] }
}

const listed = (notes: readonly (string | false)[]): string => notes.filter(note => note !== false).join(', ')
