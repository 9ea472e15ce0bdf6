import type { Property, StructuredType } from '../../../spec/language/model/index.js'
import type { NameTable } from '../../names/name-table.js'
import { propertyName } from '../../names/property-name.js'
import { stringLiteral } from '../../text/string-literal.js'
import { annotatedDocs } from '../annotated-docs.js'
import { words } from '../words.js'
import { propertyNotes } from './facet-notes.js'
import type { InterfaceView, MemberView } from './types-view.js'
import { shapeName, type TypeUse, valueTypeText } from './value-type-text.js'
import { writable } from './write-uses.js'

/** What a request body holds: for a patch, absent leaves a value as it is and null clears it. */
export function writeInterface(names: NameTable, type: StructuredType, use: Exclude<TypeUse, 'read'>): InterfaceView {
  return {
    docs: [purposes[type.kind][use](words(type.name))],
    name: shapeName(names, type, use),
    extends: '',
    members: [
      ...derivedType(type),
      ...writable(type.properties, use).map(property => member(names, property, use)),
      ...dynamic(type),
    ],
  }
}

/** Bodies of a derived type say so: where its base is accepted, it is known by nothing else. */
function derivedType(type: StructuredType): readonly MemberView[] {
  if (type.kind !== 'entityType' || type.base === undefined || type.base.abstract) return []
  return [{ docs: [], key: propertyName('@odata.type'), optional: '', type: stringLiteral(`#${type.qualifiedName}`) }]
}

/** An open type takes what is not declared. @see CSDL XML 4.01, 6.3 */
function dynamic({ open }: StructuredType): readonly MemberView[] {
  return open
    ? [{ docs: ['Properties that are not declared.'], key: '[dynamic: string]', optional: '', type: 'unknown' }]
    : []
}

function member(names: NameTable, property: Property, use: Exclude<TypeUse, 'read'>): MemberView {
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
