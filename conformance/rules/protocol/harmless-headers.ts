import { onePerEndpoint } from '../../discover/site.js'
import { isRow } from '../../json.js'
import { describeResponse, inconclusiveVerdict } from '../../rule/response.js'
import type { ActiveRule } from '../../rule/rule.js'

/** What may come with any read and changes nothing. */
const variants: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'an unknown header': { 'x-specwright-unknown': '1' },
  'several media types': { accept: 'text/html;q=0.2, application/json, */*;q=0.1' },
  'any media type': { accept: '*/*' },
  'an unknown preference': { prefer: 'specwright-unknown="1"' },
}

export const harmlessHeaders: ActiveRule = {
  kind: 'asking',
  id: 'harmless-headers',
  area: 'protocol',
  statement: 'Headers that a service does not know, and other ways to ask for JSON, change nothing.',
  advice:
    'HTTP lets proxies and clients add headers, and lets Accept be a list with weights. Pass over what is not known; compare media types by the rules of RFC 9110, 12.5.1.',
  clauses: ['collection.list'],
  covers: ['error.notAcceptable', 'fault.notAcceptable'],
  severity: 'must',
  writes: false,
  cost: 1,
  weight: 2,
  sites: ({ sites, snapshot }) => {
    const lists = onePerEndpoint(sites).filter(({ endpoint }) => endpoint.kind === 'collection')
    // What is not answered to anybody who asks as usual says nothing about headers.
    const first = lists.find(site => snapshot(site) !== undefined)
    return first === undefined ? [] : [first]
  },
  cases: () => ({ planned: Object.keys(variants).map(variant => ({ variant })) }),
  check: async ({ variant = '' }, site, session) => {
    const headers = Object.hasOwn(variants, variant) ? (variants[variant] ?? {}) : {}
    const answer = await session.send({ method: 'GET', path: site.path, headers })
    const nothing = inconclusiveVerdict(answer)
    if (nothing !== undefined) return nothing
    if (answer.status === 200 && isRow(answer.json)) return { kind: 'pass' }
    return {
      kind: 'fail',
      finding: {
        message: `A list is not answered when it is asked for with ${variant}.`,
        expected: 'status 200 with the list',
        received: describeResponse(answer),
        answers: [answer],
        features: ['header', variant],
      },
    }
  },
}
