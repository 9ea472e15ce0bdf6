import type { EntityType } from '../../../spec/language/index.js'
import { isRow, type Row } from '../../json.js'
import type { PassiveRule } from '../../rule/rule.js'
import { pageOf } from '../../session/session.js'

export const propertyNames: PassiveRule = {
  kind: 'passive',
  id: 'property-names',
  area: 'items',
  statement: 'Property names match the interface exactly, including letter case.',
  advice: 'Configure the naming policy of your serializer once, for the whole service.',
  aspects: ['property.names'],
  covers: ['property'],
  severity: 'must',
  inspect: (response, site) => {
    if (response.transportError !== undefined || response.status !== 200 || site?.type === undefined) return undefined
    const { kind } = site.endpoint
    if (kind !== 'item' && kind !== 'collection' && kind !== 'delta') return undefined
    const rows = kind === 'item' ? (isRow(response.json) ? [response.json] : []) : (pageOf(response)?.rows ?? [])
    if (rows.length === 0) return undefined
    const misspelt = misspeltNames(rows, site.type)
    if (misspelt === undefined) return 'seen'
    return {
      message: `The property ${misspelt.right} is misspelled as ${misspelt.wrong}.`,
      expected: misspelt.right,
      received: misspelt.wrong,
      answers: [response],
      features: ['property.name'],
    }
  },
}

function misspeltNames(rows: readonly Row[], type: EntityType): { right: string; wrong: string } | undefined {
  const declared = new Set([...type.properties, ...type.navigation].map(({ name }) => name))
  const folded = new Map([...declared].map(name => [fold(name), name]))
  for (const row of rows) {
    for (const wrong of Object.keys(row)) {
      const right = declared.has(wrong) ? undefined : folded.get(fold(wrong))
      if (right !== undefined && !Object.hasOwn(row, right)) return { right, wrong }
    }
  }
  return undefined
}

/** Lower-case letters and digits only: the same for every naming convention. */
function fold(name: string): string {
  return name.toLowerCase().replaceAll(/[_-]/g, '')
}

/** @see OData JSON Format 4.01, 6 */
export const itemEnvelope: PassiveRule = {
  kind: 'passive',
  id: 'item-envelope',
  area: 'items',
  statement: 'The body of a single item is the item itself: neither a list nor an envelope with `value`.',
  advice: 'Return the object. Only collections have an envelope; a client reads the properties at the top of the body.',
  aspects: ['item.read'],
  covers: ['endpoint.item', 'singleton'],
  severity: 'must',
  inspect: (response, site) => {
    const { status, json, testRequest } = response
    if (site?.endpoint.kind !== 'item' || status !== 200 || testRequest.method !== 'GET') return undefined
    if (site.type === undefined || site.type.open || site.type.properties.some(({ name }) => name === 'value')) {
      return undefined
    }
    const isList = Array.isArray(json)
    // `{ "value": null }` stands for a relation that leads to nothing.
    const isWrapped = isRow(json) && (Array.isArray(json['value']) || isRow(json['value']))
    if (!isList && !isWrapped) return json === undefined ? undefined : 'seen'
    return {
      message: `A single item is ${isList ? 'a list' : 'in an envelope with value'}.`,
      expected: 'an object with the properties of the item',
      received: response.text.slice(0, 200),
      answers: [response],
      features: ['item.envelope'],
    }
  },
}
