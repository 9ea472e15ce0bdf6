import { isRow } from '../../json.js'
import type { PassiveRule } from '../../rule/rule.js'

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
