import type { SpecDocument } from '../document.js'
import type { Service } from '../model/service.js'
import { structuredTypes } from '../model/service.js'
import type { StructuredType } from '../model/types.js'
import {
  type EntityType,
  inheritanceChain,
  kindOfPrimitive,
  type PrimitiveTypeName,
  type Property,
  type ValueType,
} from '../model/types.js'
import type { Check, CheckContext } from './check.js'

/** The kinds of values without an exact identity. */
const inexactKinds: ReadonlySet<string> = new Set(['double', 'binary', 'geography', 'geometry'])

/** Whether values of a primitive type can identify an item. @see OData CSDL 4.01, 6.5 (key) */
export const isKeyPrimitive = (name: PrimitiveTypeName): boolean => !inexactKinds.has(kindOfPrimitive(name) ?? 'binary')

function canBeKey(type: ValueType): boolean {
  switch (type.kind) {
    case 'primitive':
      return isKeyPrimitive(type.name)
    case 'typeDefinition':
      return isKeyPrimitive(type.underlying)
    default:
      return type.kind === 'enumType'
  }
}

/**
 * A property of an alternate key is single, of a type with comparable values, and, alone, unique. No two keys have the same
 * properties.
 *
 * @see Core vocabulary, AlternateKeys
 */
function checkAlternateKeys(type: EntityType, report: CheckContext['report']): void {
  const own = type.alternateKeys.slice(type.base?.alternateKeys.length ?? 0)
  const before = [type.key, ...(type.base?.alternateKeys ?? [])].map(namesOf)
  for (const [index, key] of own.entries()) {
    const at = `${type.location.pointer}/alternateKeys/${index}`
    if (before.includes(namesOf(key))) {
      const message = `"${type.name}" already has a key of ${key.map(({ name }) => name).join(', ')}. Remove one of them.`
      report({ code: 'spec/alternate-key', message, at })
      continue
    }
    before.push(namesOf(key))
    for (const [part, { name, collection, unique, type: of, location }] of key.entries()) {
      const related = [{ message: 'declared here', at: location.pointer, on: 'key' as const }]
      if (collection || !canBeKey(of)) {
        const found = collection ? 'a collection' : `of "${of.name}"`
        const message = `"${name}" is ${found}, which cannot be in a key. Use a single value of a type such as String, Guid or Int32.`
        report({ code: 'spec/alternate-key', message, at: `${at}/${part}`, related })
      } else if (key.length === 1 && !unique) {
        const message = `"${name}" identifies an item, so no two items have the same value. Add \`unique: true\` to the property.`
        report({ code: 'spec/alternate-key', message, at: `${at}/${part}`, related })
      }
    }
  }
}

const namesOf = (key: readonly Property[]): string => JSON.stringify(key.map(({ name }) => name).sort())

/**
 * A key property is single, never null, and of a primitive type with comparable values.
 *
 * @see OData CSDL 4.01, 6.5 (key)
 */
export const keyProperty: Check = ({ service, report }) => {
  for (const type of service.entityTypes) {
    checkAlternateKeys(type, report)
    if (type.key === type.base?.key) continue
    for (const [index, { name, nullable, collection, type: of, location }] of type.key.entries()) {
      const at = `${type.location.pointer}/key/${index}`
      const related = [{ message: 'declared here', at: location.pointer, on: 'key' as const }]
      if (nullable) {
        const message = `"${name}" is nullable, but a key always has a value. Remove \`nullable\`.`
        report({ code: 'spec/key-nullable', message, at, related })
      }
      if (collection) {
        const message = `"${name}" is a collection, but a key property has a single value. Remove \`collection\`, or choose another key.`
        report({ code: 'spec/key-collection', message, at, related })
      } else if (!canBeKey(of)) {
        const message = `"${name}" is of "${of.name}", which cannot be a key. Use a type such as String, Guid or Int32.`
        report({ code: 'spec/key-type', message, at, related })
      }
    }
  }
}

/**
 * An entity type whose items must be identified has a key, and only one type of a line of inheritance declares it. Items of a type
 * without a key occur one at a time, as singletons or related items, or in lists of keyless items.
 *
 * @see OData CSDL 4.01, 6.5 (key)
 */
export const keyPresence: Check = ({ document, service, report, isIncomplete }) => {
  const gathered = collectionTypes(service)
  for (const type of service.entityTypes) {
    const { pointer } = type.location
    // A key that is written and cannot be used has an error of its own.
    const isSaid = inheritanceChain(type).some(
      each => declaresKey(document, each) || isIncomplete(`${each.location.pointer}/key`),
    )
    const needsKey = !type.abstract && !type.keyless && inheritanceChain(type).some(each => gathered.has(each))
    if (needsKey && !isSaid && !isIncomplete(`${pointer}/base`)) {
      const message = `The entity type "${type.name}" has no key. Name its key properties under \`key\`, or make it \`abstract\`. If its items have none, say \`keyless: true\`.`
      report({ code: 'spec/key-missing', message, at: pointer, on: 'key' })
    }
    if (declaresKey(document, type) && type.base !== undefined && type.base.key.length > 0) {
      const message = `"${type.name}" inherits the key of "${type.base.name}" and cannot have another. Remove \`key\`.`
      report({ code: 'spec/key-redefined', message, at: `${pointer}/key`, on: 'key' })
    }
  }
}

/** The types of entity sets and of relations to many items. */
function collectionTypes(service: Service): ReadonlySet<StructuredType> {
  const sets = service.container.flatMap(({ kind, type }) => (kind === 'entitySet' ? [type] : []))
  const relations = structuredTypes(service).flatMap(type => type.ownNavigation)
  return new Set([...sets, ...relations.flatMap(({ collection, type }) => (collection ? [type] : []))])
}

function declaresKey({ resources }: SpecDocument, { name }: StructuredType): boolean {
  const written = resources[name]
  return written !== undefined && 'key' in written && written.key !== undefined
}

/** A keyless type has no key, and its collections can only be read: a new item would have no URL, and a change no name. */
export const keyless: Check = ({ service, report }) => {
  for (const { name, keyless: isKeyless, key, location } of service.entityTypes) {
    if (!isKeyless || key.length === 0) continue
    const message = `"${name}" is \`keyless\`, but it has the key ${key.map(part => part.name).join(', ')}. Remove one of the two.`
    report({ code: 'spec/keyless-key', message, at: location.pointer, on: 'key' })
  }
  for (const { kind, ...endpoint } of service.endpoints) {
    if (!('type' in endpoint) || !endpoint.type.keyless) continue
    if (kind !== 'create' && kind !== 'createMedia' && kind !== 'delta') continue
    const what = kind === 'delta' ? 'Changes name items by their keys' : 'A new item needs a URL'
    const message = `${what}, and "${endpoint.type.name}" is \`keyless\`. Remove the endpoint, or give the type a key.`
    report({ code: 'spec/keyless-endpoint', message, at: endpoint.location.pointer, on: 'key' })
  }
}
