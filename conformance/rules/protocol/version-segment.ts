import { describeResponse, inconclusiveVerdict } from '../../rule/response.js'
import type { ActiveRule } from '../../rule/rule.js'
import { failure } from '../../rule/verdict.js'
import { pageOf } from '../../session/session.js'

const otherVersion = 'v987.6'

export const versionSegment: ActiveRule = {
  kind: 'active',
  id: 'version-segment',
  area: 'protocol',
  statement: 'The path contains the version, and a path with an unknown version is not served as the current one.',
  advice: 'Route by the exact version. A service that ignores this segment cannot introduce a second version.',
  aspects: ['version'],
  covers: ['version'],
  severity: 'must',
  writes: false,
  cost: 2,
  weight: 3,
  sites: ({ sites }) => {
    const first = sites.find(({ endpoint }) => endpoint.kind === 'collection' && endpoint.keys.length === 0)
    return first === undefined ? [] : [first]
  },
  cases: () => ({ planned: [{ variant: 'another version' }] }),
  check: async (_test, site, session) => {
    const response = await session.send({ method: 'GET', path: site.path })
    const inconclusive = inconclusiveVerdict(response)
    if (inconclusive !== undefined) return inconclusive
    const url = otherAddress(response.request.url, session.service.version)
    if (url === undefined || response.status !== 200) {
      return { kind: 'inconclusive', why: 'the URL of the service does not end with the version' }
    }
    const other = await session.send({ method: 'GET', path: url })
    if (other.transportError !== undefined || pageOf(other) === undefined) return { kind: 'pass' }
    return failure({
      message: `A path with the version ${otherVersion} is served like the version ${session.service.version}.`,
      expected: 'an error',
      received: describeResponse(other),
      answers: [other],
      features: ['version'],
    })
  },
}

function otherAddress(text: string, version: string): string | undefined {
  const url = new URL(text)
  const segment = `/${encodeURIComponent(version)}/`
  if (!url.pathname.includes(segment)) return undefined
  url.pathname = url.pathname.replace(segment, `/${otherVersion}/`)
  return url.href
}
