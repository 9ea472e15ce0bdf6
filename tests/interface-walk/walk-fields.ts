import type {
  EntityType,
  NavigationProperty,
  Property,
  Service,
  StructuredType,
} from '../../spec/language/model/index.js'
import { type Finding, findings } from './finding.js'
import type { InterfaceSection } from './interface-section.js'

/** 2.1 to 2.3: each field is a property or a relation of the type that the section is about, and is what its notes say. */
export function walkFields(section: InterfaceSection, service: Service): readonly Finding[] {
  const typeName = section.title.toLowerCase()
  const type = service.entityTypes.find(({ name }) => name === typeName)
  if (!type) return findings(section.number, [`no entity type ${typeName}`])
  return section.rows.flatMap(([field = '', notes = '']) => {
    const row = `${section.number} ${field}`
    return notes.startsWith('related ')
      ? findings(row, relationProblems(type, field, notes))
      : findings(row, propertyProblems(type, field, notes))
  })
}

function relationProblems(type: EntityType, field: string, notes: string): readonly string[] {
  const relation = type.navigation.find(({ name }) => name === field)
  if (!relation) return ['no such relation']
  return [
    ...(relation.ref === undefined ? ['no ref'] : []),
    ...(relation.collection === notes.startsWith('related collection') ? [] : ['a collection, or not']),
    ...(notes.startsWith('related resource, a user') && relation.type.name !== 'user' ? ['leads elsewhere'] : []),
    ...unlessHas(relation.type, namedIn(notes)),
  ]
}

function propertyProblems(type: EntityType, field: string, notes: string): readonly string[] {
  const property = type.properties.find(({ name }) => name === field)
  if (!property) return ['no such property']
  const wrong = Object.entries(notesHold(type, property, notes)).flatMap(([problem, holds]) => (holds ? [] : [problem]))
  return [...(property.ref === undefined ? ['no ref'] : []), ...wrong, ...memberProblems(property, notes)]
}

/** What each word of the notes asks of the property. */
function notesHold(type: EntityType, property: Property, notes: string): Readonly<Record<string, boolean>> {
  const { kind, name } = property.type
  const [, shown] = /value `(\w+)` is shown/.exec(notes) ?? []
  return {
    'not the key': !notes.startsWith('identifier') || type.key.includes(property),
    'cannot be null': !notes.includes('may be null') || property.nullable,
    'no boolean': notes !== 'boolean' || name === 'Boolean',
    'no string': !notes.startsWith('string') || name === 'String' || kind === 'enumType',
    'no timestamp': !notes.startsWith('timestamp') || name === 'DateTimeOffset',
    'no object': !/\b(object|objects|recipients|recipient shape)\b/.test(notes) || kind === 'complexType',
    'a collection, or not': property.collection === /^(collection|list)\b/.test(notes),
    'shown value unknown':
      shown === undefined || memberTypes(property).some(member => 'members' in member && has(member.members, shown)),
  }
}

/** The members of a complex property that the notes name in backticks. */
function memberProblems(property: Property, notes: string): readonly string[] {
  const { type } = property
  return type.kind === 'complexType' ? unlessHas(type, namedIn(notes)) : []
}

function namedIn(notes: string): readonly string[] {
  return [...notes.matchAll(/(?<!value )`(\w+)`/g)].flatMap(([, name]) => name ?? [])
}

/** The names that neither the type nor a complex type inside it has. */
function unlessHas(type: StructuredType, names: readonly string[]): readonly string[] {
  const members: readonly (Property | NavigationProperty)[] = [
    ...type.properties,
    ...type.navigation,
    ...type.properties.flatMap(({ type: inner }) => (inner.kind === 'complexType' ? inner.properties : [])),
  ]
  return names.filter(name => !has(members, name)).map(name => `no ${name} in it`)
}

function memberTypes(property: Property): readonly Property['type'][] {
  const { type } = property
  return type.kind === 'complexType' ? [type, ...type.properties.map(member => member.type)] : [type]
}

function has(members: readonly { readonly name: string }[], name: string): boolean {
  return members.some(member => member.name === name)
}
