import type { SpecDocument } from '../document.js'
import type { Service, StructuredType } from '../model/index.js'
import { structuredTypes } from '../model/service.js'
import { inheritanceChain } from '../model/types.js'
import type { Check } from './check.js'

/**
 * An entity type whose items must be identified has a key, its own or an inherited one, and only one of a line of types says
 * so. Items of a type without key are met one at a time, as singletons or by relations to one, or in lists of keyless items.
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
