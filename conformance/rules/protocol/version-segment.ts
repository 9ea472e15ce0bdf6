import { describeResponse, inconclusiveVerdict } from '../../rule/response.js'
import type { ActiveRule } from '../../rule/rule.js'
import { pageOf } from '../../session/list-pages.js'

/** No service has had so many. */
const otherVersion = 'v987.6'

export const versionSegment: ActiveRule = {
  kind: 'asking',
  id: 'version-segment',
  area: 'protocol',
  statement:
    'The version is a segment of the path: a version that there is not is not answered as if it were this one.',
  advice: 'Route by the version as written. A service that ignores the segment cannot have a second version.',
  clauses: ['version.path'],
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
    const answer = await session.send({ method: 'GET', path: site.path })
    const nothing = inconclusiveVerdict(answer)
    if (nothing !== undefined) return nothing
    const url = otherAddress(answer.request.url, session.service.version)
    if (url === undefined || answer.status !== 200) {
      return { kind: 'inconclusive', why: 'the address of the service does not end in the version' }
    }
    const other = await session.send({ method: 'GET', path: url })
    if (other.transportError !== undefined || pageOf(other) === undefined) return { kind: 'pass' }
    return {
      kind: 'fail',
      finding: {
        message: `A path with the version ${otherVersion} is answered as if it had the version ${session.service.version}.`,
        expected: 'an error',
        received: describeResponse(other),
        answers: [other],
        features: ['version'],
      },
    }
  },
}

function otherAddress(text: string, version: string): string | undefined {
  const url = new URL(text)
  const segment = `/${encodeURIComponent(version)}/`
  if (!url.pathname.includes(segment)) return undefined
  url.pathname = url.pathname.replace(segment, `/${otherVersion}/`)
  return url.href
}
