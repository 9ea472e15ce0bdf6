import type { Operation, Property, StructuredType } from '../../../spec/language/index.js'
import { operationIdentifier, propertyName } from '../../names/identifiers.js'
import { type NameTable, typeName } from '../../names/name-table.js'
import { stringLiteral } from '../../text/literals.js'
import { annotatedDocs, withArticle } from '../docs.js'
import { facetNotes, propertyNotes } from '../property-notes.js'
import { isStream, writable } from '../write-shapes.js'
import { shapeName, type TypeUse, valueTypeText } from './value-types.js'

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
      ...entityTagMember(type),
      ...derivedTypeMember(type, derived),
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

function entityTagMember(type: StructuredType): readonly MemberView[] {
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

function derivedTypeMember(type: StructuredType, derived: readonly StructuredType[]): readonly MemberView[] {
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

/** What a request body holds: for a patch, absent leaves a value as it is and null clears it. */
export function writeInterface(names: NameTable, type: StructuredType, use: Exclude<TypeUse, 'read'>): InterfaceView {
  return {
    docs: [purposes[type.kind][use](withArticle(type.name))],
    name: shapeName(names, type, use),
    extends: '',
    members: [
      ...requiredTypeMember(type),
      ...writable(type.properties, use).map(property => writeMember(names, property, use)),
      ...dynamic(type),
    ],
  }
}

/** Bodies of a derived type say so: where its base is accepted, it is known by nothing else. */
function requiredTypeMember(type: StructuredType): readonly MemberView[] {
  if (type.kind !== 'entityType' || type.base === undefined || type.base.abstract) return []
  return [{ docs: [], key: propertyName('@odata.type'), optional: '', type: stringLiteral(`#${type.qualifiedName}`) }]
}

/** An open type takes what is not declared. @see CSDL XML 4.01, 6.3 */
function dynamic({ open }: StructuredType): readonly MemberView[] {
  return open
    ? [{ docs: ['Properties that are not declared.'], key: '[dynamic: string]', optional: '', type: 'unknown' }]
    : []
}

function writeMember(names: NameTable, property: Property, use: Exclude<TypeUse, 'read'>): MemberView {
  const needed = use !== 'patch' && property.required
  return {
    docs: annotatedDocs(property, propertyNotes(property, use)),
    key: propertyName(property.name),
    optional: needed ? '' : '?',
    type: valueTypeText(names, property, use, name => name) + (needed ? '' : ' | undefined'),
  }
}

const purposes = {
  entityType: {
    create: (name: string) => `What creates ${name}.`,
    patch: (name: string) => `What changes ${name}: what is absent stays, null clears.`,
    replace: (name: string) => `What replaces ${name}: what is absent gets its default.`,
  },
  complexType: {
    create: (name: string) => `${upperFirst(name)} as it is written.`,
    patch: (name: string) => `${upperFirst(name)} as it is changed: what is absent stays, null clears.`,
    replace: (name: string) => `${upperFirst(name)} as it is written.`,
  },
} as const

const upperFirst = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1)

/** What an operation is called with. */
export function parametersInterface(names: NameTable, operation: Operation): InterfaceView {
  return {
    docs: [`Parameters of ${operation.name}.`, ...annotatedDocs(operation)],
    name: `${operationIdentifier(operation)}Parameters`,
    extends: '',
    members: operation.parameters.map(parameter => {
      const format = parameter.format === undefined ? [] : [formats[parameter.format]]
      return {
        docs: annotatedDocs(parameter, [...format, ...facetNotes(parameter.type, parameter)]),
        key: propertyName(parameter.name),
        optional: parameter.optional ? '?' : '',
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

/** What `templates/types.hbs` shows. */
export interface TypesView {
  readonly header: string
  /** The type for members that are not known yet is needed. */
  readonly openEnum: boolean
  readonly interfaces: readonly InterfaceView[]
  readonly enumerations: readonly EnumerationView[]
  readonly definitions: readonly DefinitionView[]
}

export interface InterfaceView {
  readonly docs: readonly string[]
  readonly name: string
  /** ` extends Base`, or nothing. */
  readonly extends: string
  readonly members: readonly MemberView[]
}

interface MemberView {
  readonly docs: readonly string[]
  /** The name, in quotes where it must be, or the parameter of an index signature in its brackets. */
  readonly key: string
  /** `?`, or nothing. */
  readonly optional: string
  readonly type: string
}

interface EnumerationView {
  readonly docs: readonly string[]
  readonly name: string
  readonly members: readonly { readonly docs: readonly string[]; readonly name: string }[]
}

interface DefinitionView {
  readonly docs: readonly string[]
  readonly name: string
  readonly type: string
}
