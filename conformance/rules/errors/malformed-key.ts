import type { PrimitiveTypeName } from '../../../spec/language/index.js'
import { onePerEndpoint, type Site, sitePath } from '../../discover/site.js'
import { primitiveOf } from '../../lists/properties.js'
import { errorFinding, inconclusiveVerdict } from '../../rule/response.js'
import type { ActiveRule } from '../../rule/rule.js'

/** Types of keys that not every text is of. */
const strict: ReadonlySet<PrimitiveTypeName | undefined> = new Set([
  'Guid',
  'Byte',
  'SByte',
  'Int16',
  'Int32',
  'Int64',
  'Date',
  'DateTimeOffset',
])

/** The address with a key that cannot be one; absent where every text may be one. */
function malformedPath(site: Site): string | undefined {
  const key = site.endpoint.keys.find(({ property }) => strict.has(primitiveOf(property.type)))
  return key === undefined
    ? undefined
    : sitePath(site.endpoint, { ...site.keys, [key.variable]: 'specwright-no-such-key' })
}

export const malformedKey: ActiveRule = {
  kind: 'asking',
  id: 'malformed-key',
  area: 'errors',
  statement: 'A key in a path that is not of its type is refused.',
  advice: 'Read keys by their types before the store is asked; many stores fail on a text where they keep numbers.',
  clauses: ['error.itemNotFound'],
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
    if (path === undefined) return { kind: 'inconclusive', why: 'every text may be a key here' }
    const answer = await session.send({ method: 'GET', path })
    const nothing = inconclusiveVerdict(answer)
    if (nothing !== undefined) return nothing
    const { malformedKey: malformed, itemNotFound } = session.service.faults
    const finding = errorFinding(answer, [malformed, itemNotFound], session)
    return finding === undefined ? { kind: 'pass' } : { kind: 'fail', finding }
  },
}
