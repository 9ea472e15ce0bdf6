import type { EntityType } from '../../../spec/language/index.js'
import type { TestResponse } from '../../http/message.js'
import type { Row } from '../../json.js'
import { derivedTypes, isKindOf, mustNameTypes, namedType, namesType } from '../../lists/properties.js'
import { rowsIn } from '../../lists/read-rows.js'
import type { PassiveRule } from '../../rule/rule.js'
import type { Session } from '../../session/session.js'

/** @see OData 4.01 JSON Format, 4.6.3 */
export const itemType: PassiveRule = {
  kind: 'passive',
  id: 'item-type',
  area: 'select',
  statement: 'An item of a derived type names its type in `@odata.type`.',
  advice:
    'Without the type, a client that reads a list of a base type does not know which properties an item has. Write @odata.type unless the item is of the declared type.',
  aspects: ['item.type'],
  covers: ['endpoint.collection', 'endpoint.item'],
  severity: 'should',
  inspect: (response, site, session) => {
    const { service } = session
    if (site?.type === undefined || !mustNameTypes(service) || isTransformed(response)) return undefined
    if (/metadata=none/i.test(response.headers['content-type'] ?? '')) return undefined
    const { type } = site
    const derived = derivedTypes(type, service)
    if (derived.length === 0) return undefined
    let isSeen = false
    for (const row of rowsIn(response, site)) {
      const problem = typeProblem(row, type, derived, session)
      if (problem !== undefined) {
        return {
          message: problem,
          expected: `@odata.type: ${derived
            .slice(0, 5)
            .map(({ qualifiedName }) => `"#${qualifiedName}"`)
            .join(' or ')}`,
          received: namedType(row) === undefined ? 'no @odata.type' : `"#${namedType(row)}"`,
          answers: [response],
          features: ['item.type'],
        }
      }
      isSeen ||= namedType(row) !== undefined
    }
    return isSeen ? 'seen' : undefined
  },
}

/** Rows that `$apply` makes are not of an entity type. */
function isTransformed({ request, testRequest }: TestResponse): boolean {
  return testRequest.options?.apply !== undefined || /[?&](?:\$|%24)?apply=/i.test(request.url)
}

function typeProblem(
  row: Row,
  type: EntityType,
  derived: readonly EntityType[],
  { service }: Session,
): string | undefined {
  const name = namedType(row)
  if (name !== undefined) {
    const named = service.entityTypes.find(({ qualifiedName }) => qualifiedName === name)
    const isOther = named !== undefined && !isKindOf(named, type)
    return isOther ? `An item names the type ${name}, which does not derive from ${type.qualifiedName}.` : undefined
  }
  if (derived.some(each => namesType(row, each))) return undefined
  if (type.abstract) return `An item does not name its type, although ${type.qualifiedName} is abstract.`
  const declared = new Set([...type.properties, ...type.navigation].map(each => each.name))
  const own = derived.find(each =>
    each.properties.some(property => !declared.has(property.name) && Object.hasOwn(row, property.name)),
  )
  const property = own?.properties.find(each => !declared.has(each.name) && Object.hasOwn(row, each.name))
  if (own === undefined || property === undefined) return undefined
  return `An item has ${property.name}, which only ${own.qualifiedName} has, but does not name its type.`
}
