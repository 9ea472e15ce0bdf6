import { kindOfPrimitive } from '../../../spec/language/index.js'
import { onePerEndpoint, type Site, sitePath } from '../../discover/site.js'
import { primitiveOf } from '../../lists/properties.js'
import { errorFinding, inconclusiveVerdict } from '../../rule/response.js'
import type { ActiveRule } from '../../rule/rule.js'
import { verdictOf } from '../../rule/verdict.js'

/** The kinds of key types that do not accept every string. */
const strict: ReadonlySet<string | undefined> = new Set(['guid', 'integer', 'date', 'dateTimeOffset'])

/** The path with an invalid key. Undefined if every string is a valid key. */
function malformedPath(site: Site): string | undefined {
  const key = site.endpoint.keys.find(({ property }) => strict.has(kindOfPrimitive(primitiveOf(property.type) ?? '')))
  return key === undefined
    ? undefined
    : sitePath(site.endpoint, { ...site.keys, [key.variable]: 'specwright-no-such-key' })
}

export const malformedKey: ActiveRule = {
  kind: 'active',
  id: 'malformed-key',
  area: 'errors',
  statement: 'A key in a path that does not match its type is rejected.',
  advice:
    'Parse keys by their type before you query the store. Many stores fail if they get text for a numeric column.',
  aspects: ['error.notFound'],
  covers: ['error.malformedKey', 'fault.malformedKey'],
  severity: 'must',
  writes: false,
  cost: 1,
  weight: 3,
  sites: ({ sites }) => {
    return onePerEndpoint(sites).filter(site => site.endpoint.kind === 'item' && malformedPath(site) !== undefined)
  },
  cases: () => ({ planned: [{ variant: 'of another type' }] }),
  check: async (_test, site, session) => {
    const path = malformedPath(site)
    if (path === undefined) return { kind: 'inconclusive', why: 'every string is a valid key here' }
    const response = await session.send({ method: 'GET', path })
    const inconclusive = inconclusiveVerdict(response)
    if (inconclusive !== undefined) return inconclusive
    const { malformedKey: malformed, itemNotFound } = session.service.faults
    const finding = errorFinding(response, [malformed, itemNotFound], session)
    return verdictOf(finding)
  },
}
