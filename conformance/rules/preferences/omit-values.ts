import type { Property } from '../../../spec/language/index.js'
import { keyOf, onePerEndpoint, type Site } from '../../discover/site.js'
import type { TestResponse } from '../../http/message.js'
import type { Row } from '../../json.js'
import { isKindOf, mayHideValues } from '../../lists/properties.js'
import { describeDifference, isSameValue, rowDifferences } from '../../lists/values.js'
import { describeResponse, inconclusiveVerdict, isRejection } from '../../rule/response.js'
import type { ActiveRule } from '../../rule/rule.js'
import { failure, type Verdict } from '../../rule/verdict.js'
import { pageOf, type Session } from '../../session/session.js'

type Omitted = 'nulls' | 'defaults'

/** @see OData 4.01 Protocol, 8.2.8.6 (omit-values) */
export const omitValues: ActiveRule = {
  kind: 'active',
  id: 'omit-values',
  area: 'preferences',
  statement:
    'A read with `Prefer: omit-values` omits nothing but properties that are null, or have their default value, and then says so in Preference-Applied.',
  advice:
    'Omit a property only if its value is null (omit-values=nulls) or its default (omit-values=defaults; null only if it has no other default), and send Preference-Applied. See OData 4.01 Protocol, 8.2.8.6.',
  aspects: ['preference'],
  covers: ['prefer', 'feature.omitValues'],
  severity: 'must',
  writes: false,
  cost: 2,
  weight: 4,
  sites: ({ sites, service }) =>
    service.features.omitValues === 'none'
      ? []
      : onePerEndpoint(sites).filter(({ endpoint, type }) => endpoint.kind === 'collection' && type !== undefined),
  cases: () => ({ planned: [{ name: 'nulls' }, { name: 'defaults' }] }),
  check: async ({ name }, site, session) => {
    const omitted: Omitted = name === 'defaults' ? 'defaults' : 'nulls'
    const headers = { prefer: `omit-values=${omitted}`, 'odata-maxversion': '4.01' }
    const plain = await session.send({ method: 'GET', path: site.path, headers: { 'odata-maxversion': '4.01' } })
    const response = await session.send({ method: 'GET', path: site.path, headers })
    const inconclusive = inconclusiveVerdict(plain) ?? inconclusiveVerdict(response)
    if (inconclusive !== undefined) return inconclusive
    const [before, after] = [pageOf(plain)?.rows, pageOf(response)?.rows]
    if (before === undefined || plain.status !== 200) return { kind: 'inconclusive', why: 'the list cannot be read' }
    if (isRejection(response, session) || after === undefined)
      return fail('A preference gets an error.', 'status 200', plain, response)
    return compare(before, after, omitted, { plain, response, site, session })
  },
}

interface Reads {
  readonly plain: TestResponse
  readonly response: TestResponse
  readonly site: Site
  readonly session: Session
}

function compare(before: readonly Row[], after: readonly Row[], omitted: Omitted, reads: Reads): Verdict {
  const { plain, response, site, session } = reads
  const { type } = site
  if (type === undefined) return { kind: 'pass', vacuous: true }
  const byKey = new Map(before.map(row => [keyOf(row, type), row]))
  const pairs = after.flatMap(row => {
    const key = keyOf(row, type)
    const old = key === undefined ? undefined : byKey.get(key)
    return old === undefined ? [] : [{ old, row }]
  })
  let omittable = 0
  let absent = 0
  for (const { old, row } of pairs) {
    for (const property of propertiesOf(site, session)) {
      const { name } = property
      if (!Object.hasOwn(old, name)) continue
      const isMissing = !Object.hasOwn(row, name)
      const mayOmit = isOmittable(old[name], property, omitted)
      if (isPlainlyOmittable(old, property, omitted)) omittable++
      if (isMissing) absent++
      if (!isMissing || mayOmit) continue
      const message = `omit-values=${omitted} omits ${name}, which is ${JSON.stringify(old[name])}.`
      const expected = omitted === 'nulls' ? 'only null is omitted' : 'only the default value is omitted'
      return fail(message, expected, plain, response)
    }
    const [different] = rowDifferences(old, row, type, session.service, { mayBeNull: mayHideValues(session) })
    if (different !== undefined) {
      const message = `omit-values=${omitted} changes ${different.property.name}.`
      return fail(message, describeDifference(different, 'without', 'with the preference'), plain, response)
    }
  }
  const isClaimed = /omit-values/i.test(response.headers['preference-applied'] ?? '')
  if (absent > 0 && !isClaimed) {
    const message = 'A read omits values, but does not say so.'
    return fail(message, `Preference-Applied: omit-values=${omitted}`, plain, response)
  }
  if (absent === 0 && omittable > 0) {
    if (session.service.features.omitValues !== 'required') return { kind: 'unsupported', constructs: ['omitValues'] }
    return fail(`omit-values=${omitted} omits nothing.`, `${omittable} values are omitted`, plain, response)
  }
  return { kind: 'pass', vacuous: absent === 0 }
}

/** The properties of the type and of those that derive from it, without keys, which every item keeps. */
function propertiesOf({ type }: Site, { service }: Session): readonly Property[] {
  if (type === undefined) return []
  const types = service.entityTypes.filter(each => isKindOf(each, type))
  const all = new Map(types.flatMap(each => each.properties.map(property => [property.name, property] as const)))
  return [...all.values()].filter(property => !type.key.includes(property))
}

/** Whether a value can be omitted. Null is only if the property has no other default. */
function isOmittable(value: unknown, property: Property, omitted: Omitted): boolean {
  if (omitted === 'nulls') return value === null
  const { default: initial, collection } = property
  if (initial === undefined || initial === null)
    return value === null || (collection && Array.isArray(value) && value.length === 0)
  return isSameValue(initial, value, property)
}

/** Whether a value is null or a simple default, and nothing keeps the service from omitting it: not all omit an empty list. */
function isPlainlyOmittable(row: Row, { name, default: initial }: Property, omitted: Omitted): boolean {
  if (Object.keys(row).some(each => each.startsWith(`${name}@`))) return false
  if (omitted === 'nulls' || initial === undefined) return row[name] === null
  return typeof initial !== 'object' && row[name] === initial
}

function fail(message: string, expected: string, plain: TestResponse, response: TestResponse): Verdict {
  return failure({
    message,
    expected,
    received: describeResponse(response),
    answers: [response, plain],
    features: ['prefer', 'prefer.omit-values'],
  })
}
