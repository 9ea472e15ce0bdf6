import type { NavigationDocument, PropertyDocument, StructuredTypeDocument } from '../../../spec/language/index.js'
import { record } from '../../../spec/language/resolve/record.js'
import { pointerTo } from '../../../spec/language/source/pointer.js'
import { descriptionsOf } from '../annotations/said-of.js'
import { textOf } from '../annotations/value.js'
import type { NamedElement } from '../csdl/catalogue.js'
import { type CsdlElement, childrenOf, isTrue } from '../csdl/csdl-element.js'
import { isUsableName } from '../csdl/is-usable-name.js'
import { loss } from '../finding.js'
import { unusable } from '../names/import-names.js'
import { compact } from '../spec/compact.js'
import { oneOf } from '../spec/one-of.js'
import type { ImportContext } from './import-context.js'
import { importNavigation } from './navigation.js'
import { importProperty } from './property.js'

const mediaEntity =
  'A spec has no media entities (their content is at the address of the item with /$value, for requests of your own)'

/**
 * An entity type or complex type.
 *
 * @param name what it is called in the spec
 * @param base what its base is called in the spec
 * @param inherited names of the members of its bases; its own are added
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
  const { annotations, note, origins } = context
  const isEntity = element.name === 'EntityType'
  const said = annotations.of(element, qualifiedName)
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
        ? 'Members must have names of their own, also among inherited ones'
        : unusable
      note(loss('name', message, path, member.spot))
      continue
    }
    inherited.add(memberName)
    if (member.name === 'Property') {
      const property = importProperty(context, member, path, key.includes(memberName))
      if (property !== undefined) properties.set(memberName, property)
      origins.set(pointerTo(`${pointer}/properties`, memberName), member.spot)
    } else {
      const relation = importNavigation(context, member, path)
      if (relation !== undefined) navigation.set(memberName, relation)
      origins.set(pointerTo(`${pointer}/navigation`, memberName), member.spot)
    }
  }
  if (isTrue(element, 'HasStream')) {
    note(loss('media', mediaEntity, qualifiedName, element.spot))
  }
  const ownKey = isKeyInherited ? [] : key.filter(each => inherited.has(each))
  const isKeyless = isEntity && !isKeyInherited && ownKey.length < key.length
  if (isKeyless) note(loss('key', 'A key consists of properties of the type itself', qualifiedName, element.spot))
  return compact({
    kind: isEntity ? ('entityType' as const) : ('complexType' as const),
    base,
    abstract: isTrue(element, 'Abstract') || undefined,
    open: isTrue(element, 'OpenType') || undefined,
    key: ownKey.length === 0 || isKeyless ? undefined : ownKey,
    entityTag: oneOf(textOf(said('Specwright.EntityTag')), ['weak', 'strong', 'none'] as const),
    properties: properties.size === 0 ? undefined : record(properties),
    navigation: navigation.size === 0 ? undefined : record(navigation),
    ...descriptionsOf(said),
  })
}

/** The names of the key properties; paths and aliases are noted. */
function keyOf({ note }: ImportContext, element: CsdlElement, qualifiedName: string): readonly string[] {
  const [key] = childrenOf(element, 'Key')
  if (key === undefined) return []
  return childrenOf(key, 'PropertyRef').map(({ attributes, spot }) => {
    if (attributes.has('Alias')) {
      note(
        loss(
          'key-alias',
          'Parts of a key have no aliases in a spec',
          `${qualifiedName}: ${attributes.get('Alias')}`,
          spot,
        ),
      )
    }
    return attributes.get('Name') ?? ''
  })
}
