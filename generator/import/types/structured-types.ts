import {
  isKeyPrimitive,
  isNumericType,
  isPrimitiveTypeName,
  type NavigationDocument,
  type PropertyDocument,
  pointerTo,
  record,
  type StructuredTypeDocument,
} from '../../../spec/language/index.js'
import { descriptionsOf, renameOf, type TermLookup } from '../csdl/annotations.js'
import type { NamedElement } from '../csdl/catalogue.js'
import {
  type CsdlElement,
  childrenOf,
  isTrue,
  isUsableName,
  memberOf,
  recordsOf,
  textOf,
  textsOf,
  typeReference,
} from '../csdl/csdl-element.js'
import { omission } from '../finding.js'
import { type ImportContext, type ImportedType, importType, unusableName } from '../names.js'
import { compact, oneOf } from '../spec-document.js'
import { importFacets } from './type-definitions.js'

/**
 * An entity type or complex type.
 *
 * @param name its name in the spec
 * @param base the name of its base in the spec
 * @param inherited names of the members of its bases; the function adds its own
 * @param isKeyInherited whether one of its bases has a key
 */
export function importStructuredType(
  context: ImportContext,
  { qualifiedName, element }: NamedElement,
  name: string,
  base: string | undefined,
  inherited: Set<string>,
  isKeyInherited: boolean,
): StructuredTypeDocument {
  const { annotations, report, origins } = context
  const isEntity = element.name === 'EntityType'
  const lookup = annotations.of(element, qualifiedName)
  const key = isEntity ? keyOf(context, element, qualifiedName) : []
  const pointer = pointerTo('/resources', name)
  const properties = new Map<string, PropertyDocument>()
  const navigation = new Map<string, NavigationDocument>()
  for (const member of element.children) {
    if (member.name !== 'Property' && member.name !== 'NavigationProperty') continue
    const memberName = member.attributes.get('Name') ?? ''
    const path = `${qualifiedName}/${memberName}`
    if (!isUsableName(memberName) || inherited.has(memberName)) {
      const message = isUsableName(memberName)
        ? 'Members must have unique names, including inherited members'
        : unusableName
      report(omission('name', message, path, member.location))
      continue
    }
    inherited.add(memberName)
    if (member.name === 'Property') {
      const property = importProperty(context, member, path, key.includes(memberName))
      if (property !== undefined) properties.set(memberName, property)
      origins.set(pointerTo(`${pointer}/properties`, memberName), member.location)
    } else {
      const relation = importNavigation(context, member, path)
      if (relation !== undefined) navigation.set(memberName, relation)
      origins.set(pointerTo(`${pointer}/navigation`, memberName), member.location)
    }
  }
  const ownKey = isKeyInherited ? [] : key.filter(each => inherited.has(each))
  const isDeclared = isKeyInherited || ownKey.length === key.length
  if (isEntity && !isDeclared) {
    const message = 'A key must consist of properties that the type itself declares'
    report(omission('key', message, qualifiedName, element.location))
  }
  const unusable = ownKey.find(each => !canBeKey(context, element, each))
  if (unusable !== undefined) {
    const message = 'A key must consist of single values with an exact identity, such as String, Guid or Int32'
    report(omission('key', message, `${qualifiedName}/${unusable}`, element.location))
  }
  const isUsable = isDeclared && unusable === undefined
  const alternateKeys = isEntity ? alternateKeysOf(context, element, qualifiedName, lookup, properties) : []
  return compact({
    kind: isEntity ? ('entityType' as const) : ('complexType' as const),
    base,
    abstract: isTrue(element, 'Abstract') || undefined,
    open: isTrue(element, 'OpenType') || undefined,
    key: ownKey.length === 0 || !isUsable ? undefined : ownKey,
    alternateKeys: alternateKeys.length === 0 ? undefined : alternateKeys,
    keyless: lookup('Specwright.Keyless') === true || undefined,
    entityTag: oneOf(textOf(lookup('Specwright.EntityTag')), ['weak', 'strong', 'none'] as const),
    hasStream: isEntity && isTrue(element, 'HasStream') ? true : undefined,
    mediaTypes: isEntity ? mediaTypesOf(lookup) : undefined,
    properties: properties.size === 0 ? undefined : record(properties),
    navigation: navigation.size === 0 ? undefined : record(navigation),
    ...descriptionsOf(lookup),
    ...renameOf(lookup),
  })
}

/** The names of the key properties; paths and aliases are reported. */
function keyOf({ report }: ImportContext, element: CsdlElement, qualifiedName: string): readonly string[] {
  const [key] = childrenOf(element, 'Key')
  if (key === undefined) return []
  return childrenOf(key, 'PropertyRef').map(({ attributes, location }) => {
    if (attributes.has('Alias')) {
      report(
        omission(
          'key-alias',
          'A spec has no aliases for parts of a key',
          `${qualifiedName}: ${attributes.get('Alias')}`,
          location,
        ),
      )
    }
    return attributes.get('Name') ?? ''
  })
}

/**
 * The alternate keys of an entity type. A property that is one alone becomes `unique`.
 *
 * @param properties the type's own; the function replaces those that become unique
 * @see Core vocabulary, AlternateKeys
 */
function alternateKeysOf(
  context: ImportContext,
  element: CsdlElement,
  qualifiedName: string,
  lookup: TermLookup,
  properties: Map<string, PropertyDocument>,
): readonly (readonly string[])[] {
  return recordsOf(lookup('Core.AlternateKeys')).flatMap(alternate => {
    const parts = recordsOf(memberOf(alternate, 'Key')).map(part => {
      const name = textOf(memberOf(part, 'Name')) ?? ''
      return { name, alias: textOf(memberOf(part, 'Alias')) ?? name }
    })
    const names = parts.map(({ name }) => name)
    const isUsable = parts.every(
      ({ name, alias }) => name === alias && properties.has(name) && canBeKey(context, element, name),
    )
    if (parts.length === 0 || !isUsable || new Set(names).size < names.length) {
      const message = 'An alternate key must consist of properties of the type itself, under their own names'
      context.report(omission('alternate-key', message, `${qualifiedName}: ${names.join(', ')}`, element.location))
      return []
    }
    const [only = '', ...others] = names
    const property = properties.get(only)
    if (others.length === 0 && property !== undefined) properties.set(only, { ...property, unique: true })
    return [names]
  })
}

/** Whether a property of a type can be part of its key. One that the type inherits, or that is absent, is not examined. */
function canBeKey({ catalogue }: ImportContext, element: CsdlElement, name: string): boolean {
  const property = childrenOf(element, 'Property').find(({ attributes }) => attributes.get('Name') === name)
  if (property === undefined) return true
  const { name: type, collection } = typeReference(property.attributes.get('Type') ?? 'Edm.String')
  if (collection) return false
  const named = catalogue.types.get(catalogue.qualify(type))?.element
  if (named?.name === 'EnumType') return true
  const primitive = (named === undefined ? type : (named.attributes.get('UnderlyingType') ?? '')).replace(/^Edm\./, '')
  return isPrimitiveTypeName(primitive) && isKeyPrimitive(primitive)
}

/** The annotation of Entity Framework for a value that the database generates. */
const storeGenerated = '{http://schemas.microsoft.com/ado/2009/02/edm/annotation}StoreGeneratedPattern'

/**
 * A structural property; undefined for one of a type that a spec does not have.
 *
 * @param path its target path, `ns.type/property`
 * @param isKey whether it is part of the key: a service may generate keys, and never changes them
 */
function importProperty(
  context: ImportContext,
  element: CsdlElement,
  path: string,
  isKey: boolean,
): PropertyDocument | undefined {
  const type = importType(context, element, path)
  if (type === undefined) return undefined
  if (type.named?.element.name === 'EntityType') {
    const message = 'A structural property cannot have an entity type; only a relation can'
    context.report(omission('entity-as-value', message, path, element.location))
    return undefined
  }
  const lookup = context.annotations.of(element, path)
  const computed = isComputed(element, lookup)
  const isForeignKey = isKey && !context.isExport
  return compact({
    type: type.type,
    collection: type.collection || undefined,
    nullable: (element.attributes.get('Nullable') ?? 'true') === 'true' && !isKey ? true : undefined,
    ...importFacets(element, lookup, type.primitive, path, context.report),
    computed: computed || undefined,
    createOnly: !computed && (lookup('Core.Immutable') === true || isForeignKey) ? true : undefined,
    mediaTypes: type.primitive === 'Stream' ? mediaTypesOf(lookup) : undefined,
    required: type.primitive === 'Stream' ? undefined : required(lookup, isForeignKey && !computed),
    unique: lookup('Specwright.Unique') === true || undefined,
    returned: oneOf(textOf(lookup('Specwright.Returned')), ['always', 'byDefault', 'onSelect'] as const),
    default: lookup('Specwright.NullDefault') === true ? null : importDefault(element, type),
    stamp: oneOf(textOf(lookup('Specwright.Stamp')), ['created', 'changed'] as const),
    utc: lookup('Specwright.Utc') === true || undefined,
    search: oneOf(textOf(lookup('Specwright.Search')), ['words', 'prefix'] as const),
    index: lookup('Specwright.Index') === true || undefined,
    ...descriptionsOf(lookup),
  })
}

const mediaRange = /^[\w!#$&^.+-]+\/(?:\*|[\w!#$&^.+-]+)$/

/** The media types of a stream. Undefined: any. */
function mediaTypesOf(lookup: TermLookup): readonly string[] | undefined {
  const given = textsOf(lookup('Core.AcceptableMediaTypes')) ?? []
  const ranges = [...new Set(given.map(text => text.split(';')[0]?.trim() ?? ''))]
  const isAny = ranges.length === 0 || ranges.some(text => text === '*/*' || !mediaRange.test(text))
  return isAny ? undefined : ranges
}

function isComputed(element: CsdlElement, lookup: TermLookup): boolean {
  const generated = element.attributes.get(storeGenerated)
  const permissions = textOf(lookup('Core.Permissions'))
  return (
    lookup('Core.Computed') === true || permissions === 'Read' || generated === 'Identity' || generated === 'Computed'
  )
}

/** A key that a service may generate is optional. */
function required(lookup: TermLookup, isForeignKey: boolean): boolean | undefined {
  const stated = lookup('Specwright.Required')
  return typeof stated === 'boolean' ? stated : isForeignKey ? false : undefined
}

/** The default of a property as the spec writes it: XML has only its text. */
function importDefault(
  element: CsdlElement,
  { primitive }: ImportedType,
): NonNullable<PropertyDocument['default']> | undefined {
  const text = element.attributes.get('DefaultValue')
  if (text === undefined) return undefined
  if (primitive === 'Boolean' && (text === 'true' || text === 'false')) return text === 'true'
  if (primitive !== undefined && isNumericType(primitive) && primitive !== 'Decimal' && isNumber(text))
    return Number(text)
  // A number if its text stays the same: 1.0 is not 1.
  if (primitive === 'Decimal' && isNumber(text) && String(Number(text)) === text) return Number(text)
  return text
}

const isNumber = (text: string): boolean => text.trim() !== '' && Number.isFinite(Number(text))

const onDelete = new Map([
  ['Cascade', 'cascade'],
  ['None', 'none'],
  ['SetNull', 'setNull'],
  ['Restrict', 'restrict'],
] as const)

/**
 * A relation; undefined if it does not lead to an entity type of the document. Its partner is set when all relations are
 * known.
 */
function importNavigation(context: ImportContext, element: CsdlElement, path: string): NavigationDocument | undefined {
  const type = importType(context, element, path)
  if (type === undefined) return undefined
  if (type.named?.element.name !== 'EntityType') {
    context.report(omission('relation', 'A relation must lead to an entity type', path, element.location))
    return undefined
  }
  const constraint = constraintOf(context, element, path)
  const action = childrenOf(element, 'OnDelete')[0]?.attributes.get('Action')
  return compact({
    to: type.type,
    collection: type.collection || undefined,
    nullable: !type.collection && (element.attributes.get('Nullable') ?? 'true') === 'true' ? true : undefined,
    contained: isTrue(element, 'ContainsTarget') || undefined,
    constraint,
    onDelete: [...onDelete].find(([word]) => word === action)?.[1],
    ...descriptionsOf(context.annotations.of(element, path)),
    ...renameOf(context.annotations.of(element, path)),
  })
}

function constraintOf(context: ImportContext, element: CsdlElement, path: string): NavigationDocument['constraint'] {
  const pairs = childrenOf(element, 'ReferentialConstraint').flatMap(({ attributes, location }) => {
    const [property, referenced] = [attributes.get('Property') ?? '', attributes.get('ReferencedProperty') ?? '']
    if (property !== '' && referenced !== '' && !`${property}${referenced}`.includes('/'))
      return [[property, referenced] as const]
    context.report(
      omission('constraint', 'A constraint must name its properties; a spec has no paths there', path, location),
    )
    return []
  })
  return pairs.length === 0 ? undefined : record(pairs)
}
