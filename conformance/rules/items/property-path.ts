import type { Property } from '../../../spec/language/index.js'
import { keyOf, onePerEndpoint, type Site } from '../../discover/site.js'
import { isRow, type Row } from '../../json.js'
import { isKindOf } from '../../lists/properties.js'
import { isAssumed } from '../../lists/type-mismatch.js'
import { isSameValue } from '../../lists/values.js'
import { describeResponse, errorFinding, inconclusiveVerdict, isRejection } from '../../rule/response.js'
import type { ActiveRule } from '../../rule/rule.js'
import { failure, type Verdict } from '../../rule/verdict.js'
import type { Session } from '../../session/session.js'

export const propertyPath: ActiveRule = {
  kind: 'active',
  id: 'property-path',
  area: 'items',
  statement: 'The path of a property returns the value that its item has.',
  advice:
    'Read the property from the item that the rest of the path names. The value is in `value`, a complex value is the body itself, and null is 204.',
  aspects: ['property.values'],
  covers: ['endpoint.item', 'feature.propertyPaths'],
  severity: 'must',
  writes: false,
  cost: 2,
  weight: 4,
  sites: ({ sites, service }) =>
    service.features.propertyPaths === 'none'
      ? []
      : onePerEndpoint(sites).filter(({ endpoint, type }) => endpoint.kind === 'item' && type !== undefined),
  cases: (site, session) => ({ planned: propertiesToRead(site, session).map(({ name }) => ({ name })) }),
  check: async ({ name = '' }, site, session) => {
    const item = await session.send({ method: 'GET', path: site.path })
    const property = site.type?.properties.find(each => each.name === name)
    if (item.status !== 200 || !isRow(item.json) || property === undefined) return { kind: 'pass', vacuous: true }
    const shown = item.json[name]
    if (shown === undefined) return { kind: 'pass', vacuous: true }
    const response = await session.send({ method: 'GET', path: `${site.path}/${encodeURIComponent(name)}` })
    const inconclusive = inconclusiveVerdict(response)
    if (inconclusive !== undefined) return inconclusive
    if (isRejection(response, session)) return refusal(response, session)
    const read = valueIn(response, property)
    if (read !== undefined && isSameValue(shown, read.value, property)) return { kind: 'pass' }
    return failure({
      message: 'The path of a property does not return the value that the item has.',
      expected: shown === null ? 'status 204' : `status 200 with ${JSON.stringify(shown).slice(0, 200)}`,
      received: describeResponse(response),
      answers: [response, item],
      features: ['property.path'],
    })
  },
}

/**
 * One property of each kind: paths to all properties of a kind go through the same code. Of the values that are known, a
 * text with letters of both cases shows most.
 */
function propertiesToRead(site: Site, session: Session): readonly Property[] {
  const byKind = new Map<string, Property>()
  const row = knownItem(site, session)
  const worth = ({ name }: Property): number => {
    const value = JSON.stringify(row?.[name] ?? null)
    return Number(value !== 'null') + Number(/[A-Z]/.test(value)) + 2 * Number(/[a-z]/.test(value) && value !== 'null')
  }
  const properties = (site.type?.properties ?? []).toSorted((a, b) => worth(b) - worth(a))
  for (const property of properties) {
    const { type: of, collection, returned } = property
    const isHidden = returned === 'onSelect' || (of.kind === 'primitive' && of.name === 'Stream')
    const kind = collection ? 'collection' : of.kind === 'complexType' ? 'complex' : 'primitive'
    if (!isHidden && !isAssumed(property) && !byKind.has(kind)) byKind.set(kind, property)
  }
  return [...byKind.values()]
}

/** The item as a list shows it. */
function knownItem({ path, type }: Site, { sites, snapshot }: Session): Row | undefined {
  for (const list of sites) {
    if (type === undefined || list.type === undefined || !isKindOf(list.type, type)) continue
    for (const row of snapshot(list)?.rows ?? []) {
      const key = keyOf(row, list.type)
      if (key !== undefined && path.includes(encodeURIComponent(key))) return row
    }
  }
  return undefined
}

type PropertyResponse = Parameters<typeof describeResponse>[0]

/** The value in the response to the path of a property. Undefined: it has none. */
export function valueIn(
  { status, json }: PropertyResponse,
  { type, collection }: Property,
): { value: unknown } | undefined {
  if (status === 204) return { value: null }
  if (status !== 200 || !isRow(json)) return undefined
  if (type.kind !== 'complexType' || collection)
    return Object.hasOwn(json, 'value') ? { value: json['value'] } : undefined
  const members = Object.entries(json).filter(([name]) => !name.startsWith('@'))
  return { value: Object.fromEntries(members) }
}

function refusal(response: PropertyResponse, session: Session): Verdict {
  const { features, faults } = session.service
  if (features.propertyPaths !== 'required') return { kind: 'unsupported', constructs: ['propertyPaths'] }
  const { itemNotFound, pathNotFound } = faults
  const wellFormed = errorFinding(response, [itemNotFound, pathNotFound], session) === undefined
  return failure({
    message: 'The path of a property is refused, but the service must have it.',
    expected: 'status 200 with the value, or 204 for null',
    received: describeResponse(response),
    answers: [response],
    features: ['property.path', wellFormed ? 'missing' : 'refused'],
  })
}
