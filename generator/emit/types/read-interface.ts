import type { StructuredType } from '../../../spec/language/model/index.js'
import { type NameTable, typeName } from '../../names/name-table.js'
import { propertyName } from '../../names/property-name.js'
import { stringLiteral } from '../../text/string-literal.js'
import { annotatedDocs } from '../annotated-docs.js'
import { propertyNotes } from './facet-notes.js'
import type { InterfaceView, MemberView } from './types-view.js'
import { valueTypeText } from './value-type-text.js'
import { isStream } from './write-uses.js'

/** What the service sends: structural properties only, relations are there when they are expanded. */
export function readInterface(
  names: NameTable,
  type: StructuredType,
  derived: readonly StructuredType[],
): InterfaceView {
  return {
    docs: annotatedDocs(type),
    name: typeName(names, type),
    extends: type.base === undefined ? '' : ` extends ${typeName(names, type.base)}`,
    members: [
      ...entityTag(type),
      ...derivedType(type, derived),
      ...type.ownProperties
        .filter(property => !isStream(property.type))
        .map(property => ({
          docs: annotatedDocs(property, propertyNotes(property, 'read')),
          key: propertyName(property.name),
          optional: property.returned === 'onSelect' ? '?' : '',
          type: valueTypeText(names, property, 'read', name => name),
        })),
    ],
  }
}

function entityTag(type: StructuredType): readonly MemberView[] {
  if (type.kind !== 'entityType' || type.entityTag === 'none') return []
  if (type.base !== undefined && type.base.entityTag !== 'none') return []
  return [
    {
      docs: ['The entity tag, for `ifMatch` and `ifNoneMatch`.'],
      key: propertyName('@odata.etag'),
      optional: '?',
      type: 'string',
    },
  ]
}

function derivedType(type: StructuredType, derived: readonly StructuredType[]): readonly MemberView[] {
  // A base type has said it already.
  if (derived.length === 0 || type.base !== undefined) return []
  const kinds = [type, ...derived]
    .filter(({ abstract }) => !abstract)
    .map(({ qualifiedName }) => stringLiteral(`#${qualifiedName}`))
  return [
    {
      docs: ['Which of the derived types the item is of.'],
      key: propertyName('@odata.type'),
      optional: '?',
      type: kinds.join(' | '),
    },
  ]
}
