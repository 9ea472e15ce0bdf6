import type { EntityType, NavigationProperty, Property, Service, StructuredType } from '../../spec/language/index.js'
import { type Gap, gaps, type InterfaceSection, isQuoted, queryableCollections } from './interface-document.js'

/** 1: the container has the entry points, and the signed-in user is the caller. */
export function checkEntryPoints(section: InterfaceSection, service: Service): readonly Gap[] {
  const [sentence = ''] = section.bullets.flatMap(bullet => /top-level entry points are .*$/.exec(bullet)?.[0] ?? [])
  return [...sentence.matchAll(/(the signed-in user )?\(?`(\w+)`/g)].flatMap(([, signedIn, name = '']) => {
    const element = service.container.find(known => known.name === name)
    return gaps(`${section.number} ${name}`, {
      'not in the container': element?.ref !== section.number,
      'not the caller': signedIn !== undefined && !(element?.kind === 'singleton' && element.principal),
    })
  })
}

/** 2.1 to 2.3: each field is a property or navigation property of the type, and complies with its notes. */
export function checkFields(section: InterfaceSection, service: Service): readonly Gap[] {
  const typeName = section.title.toLowerCase()
  const type = service.entityTypes.find(({ name }) => name === typeName)
  if (!type) return gaps(section.number, [`no entity type ${typeName}`])
  return section.rows.flatMap(([field = '', notes = '']) => {
    const row = `${section.number} ${field}`
    return notes.startsWith('related ')
      ? gaps(row, relationProblems(type, field, notes))
      : gaps(row, propertyProblems(type, field, notes))
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

/** The requirements of the notes that a property does not meet. */
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
      shown === undefined ||
      memberTypes(property).some(member => 'members' in member && hasMember(member.members, shown)),
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
  return names.filter(name => !hasMember(members, name)).map(name => `no ${name} in it`)
}

function memberTypes(property: Property): readonly Property['type'][] {
  const { type } = property
  return type.kind === 'complexType' ? [type, ...type.properties.map(member => member.type)] : [type]
}

function hasMember(members: readonly { readonly name: string }[], name: string): boolean {
  return members.some(member => member.name === name)
}

/** 2.4: a clause quotes each member of the envelope, and the collections can provide it. */
export function checkEnvelope(section: InterfaceSection, service: Service): readonly Gap[] {
  const pages = queryableCollections(service)
  const filled: Readonly<Record<string, boolean>> = {
    value: pages.length > 0,
    '@odata.count': pages.some(({ query }) => query.count !== 'none'),
    '@odata.nextLink': pages.every(({ query }) => query.top.default !== undefined),
  }
  return section.rows.flatMap(([member = '', notes = '']) =>
    gaps(`${section.number} ${member}`, {
      'nothing fills it': filled[member] !== true,
      'no clause': !isQuoted(service, section.number, notes),
    }),
  )
}

/** 2.5: what is only named is a type of that name, or the result of an operation. */
export function checkNamedResources(section: InterfaceSection, service: Service): readonly Gap[] {
  const [list = ''] = section.bullets.flatMap(bullet => /^(.*): named only/.exec(bullet)?.[1] ?? [])
  const names = list.replaceAll(/\([^)]*\)/g, '').split(',')
  const relations = [...list.matchAll(/`(\w+)`/g)].flatMap(([, name]) => name ?? [])
  return [
    ...names.flatMap(name => namedResource(section, service, camelCase(name.trim()))),
    ...relations.flatMap(name =>
      gaps(`${section.number} ${name}`, {
        'no such relation': !service.entityTypes.some(type =>
          type.navigation.some(relation => relation.name === name && relation.ref === section.number),
        ),
      }),
    ),
  ]
}

function namedResource(section: InterfaceSection, service: Service, name: string): readonly Gap[] {
  const row = `${section.number} ${name}`
  const result = /^(.*)Result$/.exec(name)?.[1]
  if (result === undefined) {
    const type = service.entityTypes.find(known => known.name === name)
    return gaps(row, { 'no such type': !type, 'no ref': type !== undefined && type.ref === undefined })
  }
  const operation = service.operations.find(known => known.name.toLowerCase().endsWith(result.toLowerCase()))
  return gaps(row, { 'no operation returns it': !operation?.returns?.collection })
}

function camelCase(words: string): string {
  const [first = '', ...rest] = words.split(/[ -]/)
  return [first.toLowerCase(), ...rest.map(word => word.charAt(0).toUpperCase() + word.slice(1))].join('')
}
