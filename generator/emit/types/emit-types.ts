import {
  codeName,
  type EntityType,
  functionsInFilters,
  isStream,
  type Operation,
  type Property,
  type Service,
  type StructuredType,
} from '../../../spec/language/index.js'
import type { GeneratedFile } from '../../generated-file.js'
import { operationIdentifier } from '../../names/identifiers.js'
import { type NameTable, typeName } from '../../names/name-table.js'
import { scope } from '../../text/file-scope.js'
import { literalUnion, propertyName, stringLiteral } from '../../text/literals.js'
import { renderTemplate } from '../../text/render-template.js'
import { annotatedDocs, facetNotes, memberDocs, propertyNotes, upperFirst, withArticle } from '../doc-comments.js'
import { codeFile, type EmitContext } from '../emit-context.js'
import {
  anyShapeName,
  concreteTypes,
  type DerivedTypes,
  derivedEntityTypes,
  derivedStructuredTypes,
  isRequiredIn,
  namedBodyTypes,
  shapeName,
  valueTypeText,
  type WriteUse,
  type WriteUses,
  writable,
  writeUses,
} from './value-types.js'

/** `types.ts`: what the service sends and accepts, in types and enumerations only. */
export function emitTypes(context: EmitContext): GeneratedFile {
  const { service, names } = context
  const view = {
    openEnum: service.enumTypes.length > 0,
    interfaces: interfaces(context),
    unions: unions(context),
    enumerations: service.enumTypes.map(type => ({
      docs: annotatedDocs(type, type.flags ? ['Several can be combined: `a,b`.'] : []),
      name: typeName(names, type),
      members: type.members.map(member => ({
        docs: memberDocs(member),
        name: codeName(member),
        value: member.name,
      })),
    })),
    definitions: service.typeDefinitions.map(type => {
      const underlying = { kind: 'primitive', name: type.underlying } as const
      return {
        docs: annotatedDocs(type, facetNotes(underlying, type)),
        name: typeName(names, type),
        type: valueTypeText(names, { type: underlying, collection: false, nullable: false }, 'read', name => name),
      }
    }),
  }
  const file = codeFile(context, 'client', scope([]))
  return { path: 'types.ts', text: renderTemplate('types', view, file), kind: 'generated' }
}

function interfaces({ service, names }: EmitContext): readonly InterfaceView[] {
  const derived = derivedStructuredTypes(service)
  const uses = writeUses(service)
  const structured = [...service.entityTypes, ...service.complexTypes]
  const written = writeInterfaces(
    names,
    structured,
    uses,
    namedBodyTypes(service),
    derivedEntityTypes(service),
    service.features,
  )
  return [
    ...structured.flatMap(type => [readInterface(names, type, derived.get(type) ?? []), ...(written.get(type) ?? [])]),
    ...calledOperations(service)
      .filter(operation => operation.parameters.length > 0)
      .map(operation => parametersInterface(names, operation)),
  ]
}

/** A type whose values are those of several types, as `templates/types.hbs` shows it. */
interface UnionView {
  readonly docs: readonly string[]
  readonly name: string
  readonly members: readonly string[]
}

/** The unions of types and those that derive from them. `@odata.type` distinguishes their members. */
function unions({ service, names }: EmitContext): readonly UnionView[] {
  const uses = writeUses(service)
  const derived = derivedStructuredTypes(service)
  return [...names.unions.keys()].flatMap(type => {
    const written = (['create', 'patch'] as const).filter(
      use => type.kind === 'complexType' && uses.get(type)?.has(use) === true,
    )
    return (['read', ...written] as const).map(use => ({
      docs: [
        `${upperFirst(withArticle(type.name))}, or a value of a type that derives from it: \`@odata.type\` names its type.`,
      ],
      name: anyShapeName(names, type, use),
      members: [
        ...(type.abstract ? [] : [`(${shapeName(names, type, use)} & ${typeMember(type, true)})`]),
        ...(derived.get(type) ?? [])
          .filter(({ abstract }) => !abstract)
          .map(below => `(${shapeName(names, below, use)} & ${typeMember(below, false)})`),
      ],
    }))
  })
}

/** The member that distinguishes the values of a type. A value of the declared type needs none. */
const typeMember = ({ qualifiedName }: StructuredType, isOptional: boolean): string =>
  `{ readonly '@odata.type'${isOptional ? '?' : ''}: ${stringLiteral(`#${qualifiedName}`)}${isOptional ? ' | undefined' : ''} }`

/** The operations that a path or a filter calls, each once. */
const calledOperations = (service: Service): readonly Operation[] => [
  ...new Set([
    ...service.endpoints.flatMap(endpoint => (endpoint.kind === 'call' ? [endpoint.operation] : [])),
    ...functionsInFilters(service),
  ]),
]

/** One interface, as `templates/types.hbs` shows it. */
interface InterfaceView {
  readonly docs: readonly string[]
  readonly name: string
  /** The interface that it extends, or empty. */
  readonly base: string
  readonly members: readonly MemberView[]
  /** An interface with the same members, for which this one is an alias; or empty. */
  readonly sameAs: string
}

interface MemberView {
  readonly docs: readonly string[]
  /** The name, in quotes if necessary, or the parameter of an index signature in its brackets. */
  readonly key: string
  readonly optional: boolean
  readonly type: string
}

/** What the service returns. Navigation properties are not part of it, because they are present only if expanded. */
function readInterface(names: NameTable, type: StructuredType, derived: readonly StructuredType[]): InterfaceView {
  return {
    docs: annotatedDocs(type),
    name: typeName(names, type),
    base: type.base === undefined ? '' : typeName(names, type.base),
    sameAs: '',
    members: [
      ...entityTagMember(type),
      ...derivedTypeMember(type, derived),
      ...type.ownProperties
        .filter(property => !isStream(property.type))
        .map(property => ({
          docs: memberDocs(property, propertyNotes(property, 'read')),
          key: propertyName(property.name),
          optional: property.returned === 'onSelect',
          type: valueTypeText(names, property, 'read', name => name),
        })),
      ...streamMembers(type),
    ],
  }
}

function entityTagMember(type: StructuredType): readonly MemberView[] {
  if (type.kind !== 'entityType' || type.entityTag === 'none') return []
  if (type.base !== undefined && type.base.entityTag !== 'none') return []
  return [
    {
      docs: ['The entity tag, for `ifMatch` and `ifNoneMatch`.'],
      key: propertyName('@odata.etag'),
      optional: true,
      type: 'string',
    },
  ]
}

/** What a response says about the streams of an item. Their bytes have URLs of their own. */
function streamMembers(type: StructuredType): readonly MemberView[] {
  const isMedia = type.kind === 'entityType' && type.hasStream && type.base?.hasStream !== true
  const streams = [
    ...(isMedia ? [{ name: '', about: 'the media stream' }] : []),
    ...type.ownProperties
      .filter(property => isStream(property.type))
      .map(({ name }) => ({ name, about: `the stream ${name}` })),
  ]
  return streams.flatMap(({ name, about }) =>
    [
      { term: 'mediaContentType', docs: `The media type of ${about}. Absent if the item has no such stream.` },
      { term: 'mediaEtag', docs: `The entity tag of ${about}, for \`ifMatch\` and \`ifNoneMatch\`.` },
    ].map(({ term, docs }) => ({
      docs: [docs],
      key: propertyName(`${name}@odata.${term}`),
      optional: true,
      type: 'string',
    })),
  )
}

function derivedTypeMember(type: StructuredType, derived: readonly StructuredType[]): readonly MemberView[] {
  // The base type declares it.
  if (derived.length === 0 || type.base !== undefined) return []
  const concrete = [type, ...derived].filter(({ abstract }) => !abstract)
  return [
    {
      docs: ['The type of the item.'],
      key: propertyName('@odata.type'),
      optional: true,
      type: literalUnion(concrete.map(({ qualifiedName }) => `#${qualifiedName}`)),
    },
  ]
}

/**
 * The bodies of requests by type. Of bodies with the same members, only the first is an interface, and the others are aliases
 * of it. Members are compared by their types, so a name counts as the interface that it refers to.
 */
function writeInterfaces(
  names: NameTable,
  types: readonly StructuredType[],
  uses: WriteUses,
  named: ReadonlySet<StructuredType>,
  derived: DerivedTypes<EntityType>,
  features: Service['features'],
): ReadonlyMap<StructuredType, readonly InterfaceView[]> {
  const views = new Map(
    types.map(type => [
      type,
      (['create', 'patch', 'replace'] as const)
        .filter(use => uses.get(type)?.has(use) === true && !(type.kind === 'complexType' && use === 'replace'))
        .map(use =>
          writeInterface(names, type, use, named.has(type), linkMembers(names, type, use, uses, derived, features)),
        ),
    ]),
  )
  const sameAs = new Map<string, string>()
  const canonical = (type: string): string =>
    sameAs.size === 0 ? type : type.replace(bodyName, name => sameAs.get(name) ?? name)
  const contentOf = ({ members }: InterfaceView): string =>
    members.map(({ key, optional, type }) => `${key}${optional ? '?' : ''}: ${canonical(type)}`).join('\n')
  const several = [...views.values()].filter(all => all.length > 1)
  // Bodies contain other bodies, so equal ones are found from the inside out.
  for (let before = -1; sameAs.size !== before; ) {
    before = sameAs.size
    for (const all of several) {
      const known = new Map<string, string>()
      for (const view of all) {
        const content = contentOf(view)
        const same = known.get(content)
        if (same === undefined) known.set(content, view.name)
        else sameAs.set(view.name, same)
      }
    }
  }
  return new Map(
    [...views].map(([type, all]) => [type, all.map(view => ({ ...view, sameAs: sameAs.get(view.name) ?? '' }))]),
  )
}

/** A name that a body can have. */
const bodyName = /[\p{ID_Continue}$]+(?:Create|Patch|Replace)/gu

/** The body of a request. In a patch, an absent member stays as it is and null clears it. */
function writeInterface(
  names: NameTable,
  type: StructuredType,
  use: WriteUse,
  isNamed: boolean,
  linked: readonly MemberView[],
): InterfaceView {
  return {
    docs: [purposes[type.kind][use](withArticle(type.name))],
    name: shapeName(names, type, use),
    base: '',
    sameAs: '',
    members: [
      ...(isNamed ? [requiredTypeMember(type)] : []),
      ...writable(type.properties, use).map(property =>
        writeMember(names, property, use, isRequiredIn(use, property, type)),
      ),
      ...linked,
      ...dynamic(type),
    ],
  }
}

/** The members that link existing items, and those that create related items together with this one. */
function linkMembers(
  names: NameTable,
  type: StructuredType,
  use: WriteUse,
  uses: WriteUses,
  derived: DerivedTypes<EntityType>,
  { bind, deepInsert, deepUpdate }: Service['features'],
): readonly MemberView[] {
  if (type.kind !== 'entityType') return []
  return type.navigation.flatMap(
    ({ name, collection, nullable, contained, type: target, partner }): readonly MemberView[] => {
      const bound = collection ? 'readonly string[]' : nullable && use !== 'create' ? 'string | null' : 'string'
      const bindMember = {
        docs: [collection ? 'URLs of items to link.' : 'The URL of the item to link.'],
        key: propertyName(`${name}@odata.bind`),
        optional: true,
        type: `${bound} | undefined`,
      }
      const given = (partner?.constraint ?? []).map(({ dependent }) => stringLiteral(dependent)).join(' | ')
      const created = concreteTypes(target, derived).filter(each => uses.get(each)?.has('create') === true)
      const items = created.map(each => {
        const shape = shapeName(names, each, 'create')
        return given === '' ? shape : `Omit<${shape}, ${given}>`
      })
      const link = contained ? [] : [`{ readonly '@odata.id': string }`]
      const inserted = [...link, ...items]
      const item = inserted.length > 1 && collection ? `(${inserted.join(' | ')})` : inserted.join(' | ')
      const nested = {
        docs: [`${collection ? 'Items' : 'An item'} to create with it${contained ? '' : ', or to link'}.`],
        key: propertyName(name),
        optional: true,
        type: `${collection ? `readonly ${item}[]` : item} | undefined`,
      }
      const isCreated = use === 'create' && deepInsert !== 'none' && inserted.length > 0
      const changed = [...link, ...created.map(each => changedItem(names, each))].join(' | ')
      const isChanged = use !== 'create' && deepUpdate !== 'none' && changed !== ''
      const linked = contained ? '' : ' Those with `@odata.id` are linked.'
      const replaced = {
        docs: [
          collection
            ? `All items. Those with the key of an item change it.${linked}`
            : contained
              ? 'Changes the item, or creates it.'
              : 'Links the item with this `@odata.id` or key, and changes it, or creates it.',
        ],
        key: propertyName(name),
        optional: true,
        type: `${collection ? `readonly (${changed})[]` : `${changed}${nullable ? ' | null' : ''}`} | undefined`,
      }
      const delta = {
        docs: [
          contained
            ? 'Items to create and to change; those with `@removed` to delete.'
            : 'Items to link, to create and to change; those with `@removed` to remove from the relation.',
        ],
        key: propertyName(`${name}@odata.delta`),
        optional: true,
        type: `readonly ((${changed}) & { readonly '@removed'?: object })[] | undefined`,
      }
      return [
        ...(bind === 'none' || contained ? [] : [bindMember]),
        ...(isCreated ? [nested] : []),
        ...(isChanged ? [replaced, ...(collection ? [delta] : [])] : []),
      ]
    },
  )
}

/** An item in a deep update: the key of one that exists, or what a create needs. */
function changedItem(names: NameTable, type: EntityType): string {
  const keys = type.key
    .filter(({ computed }) => computed)
    .map(key => `readonly ${propertyName(key.name)}?: ${valueTypeText(names, key, 'read', name => name)}`)
  const create = `Partial<${shapeName(names, type, 'create')}>`
  return keys.length === 0 ? create : `${create} & { ${keys.join('; ')} }`
}

function requiredTypeMember({ qualifiedName }: StructuredType): MemberView {
  return { docs: [], key: propertyName('@odata.type'), optional: false, type: stringLiteral(`#${qualifiedName}`) }
}

/** An open type accepts properties that are not declared. @see CSDL XML 4.01, 6.3 */
function dynamic({ open }: StructuredType): readonly MemberView[] {
  return open
    ? [{ docs: ['Properties that are not declared.'], key: '[dynamic: string]', optional: false, type: 'unknown' }]
    : []
}

function writeMember(names: NameTable, property: Property, use: WriteUse, required: boolean): MemberView {
  return {
    docs: memberDocs(property, propertyNotes(property, use)),
    key: propertyName(property.name),
    optional: !required,
    type: valueTypeText(names, property, use, name => name) + (required ? '' : ' | undefined'),
  }
}

const purposes = {
  entityType: {
    create: (name: string) => `The body that creates ${name}.`,
    patch: (name: string) => `The body that changes ${name}: absent members stay, null clears.`,
    replace: (name: string) => `The body that replaces ${name}: absent members get their defaults.`,
  },
  complexType: {
    create: (name: string) => `${upperFirst(name)} in a request.`,
    patch: (name: string) => `Changes to ${name}: absent members stay, null clears.`,
    replace: (name: string) => `${upperFirst(name)} in a request.`,
  },
} as const

function parametersInterface(names: NameTable, operation: Operation): InterfaceView {
  return {
    docs: [`Parameters of ${operation.name}.`, ...annotatedDocs(operation)],
    name: `${operationIdentifier(operation)}Parameters`,
    base: '',
    sameAs: '',
    members: operation.parameters.map(parameter => {
      const format = parameter.format === undefined ? [] : [formats[parameter.format]]
      return {
        docs: memberDocs(parameter, [...format, ...facetNotes(parameter.type, parameter)]),
        key: propertyName(parameter.name),
        optional: parameter.optional,
        type: valueTypeText(names, parameter, 'create', name => name) + (parameter.optional ? ' | undefined' : ''),
      }
    }),
  }
}

const formats = {
  dateTimeOffset: 'A timestamp, ISO 8601.',
  date: 'A date, ISO 8601.',
  guid: 'A GUID.',
} as const
