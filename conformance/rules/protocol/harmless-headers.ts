import { onePerEndpoint } from '../../discover/site.js'
import { isRow } from '../../json.js'
import { describeResponse, inconclusiveVerdict } from '../../rule/response.js'
import type { ActiveRule } from '../../rule/rule.js'
import { failure } from '../../rule/verdict.js'

/** Headers that any read may have and that change nothing. */
const variants: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'an unknown header': { 'x-specwright-unknown': '1' },
  'several media types': { accept: 'text/html;q=0.2, application/json, */*;q=0.1' },
  'any media type': { accept: '*/*' },
  'an unknown preference': { prefer: 'specwright-unknown="1"' },
}

export const harmlessHeaders: ActiveRule = {
  kind: 'active',
  id: 'harmless-headers',
  area: 'protocol',
  statement: 'Unknown headers, unknown preferences and equivalent Accept headers do not change the response.',
  advice:
    'Proxies and clients may add headers, and Accept may list media types with weights. Ignore unknown headers, and compare media types as RFC 9110, section 12.5.1, defines.',
  aspects: ['collection.read'],
  covers: ['error.notAcceptable', 'fault.notAcceptable'],
  severity: 'must',
  writes: false,
  cost: 1,
  weight: 2,
  sites: ({ sites, snapshot }) => {
    const lists = onePerEndpoint(sites).filter(({ endpoint }) => endpoint.kind === 'collection')
    // A list that fails without these headers proves nothing about them.
    const first = lists.find(site => snapshot(site) !== undefined)
    return first === undefined ? [] : [first]
  },
  cases: () => ({ planned: Object.keys(variants).map(variant => ({ variant })) }),
  check: async ({ variant = '' }, site, session) => {
    const headers = Object.hasOwn(variants, variant) ? (variants[variant] ?? {}) : {}
    const response = await session.send({ method: 'GET', path: site.path, headers })
    const inconclusive = inconclusiveVerdict(response)
    if (inconclusive !== undefined) return inconclusive
    if (response.status === 200 && isRow(response.json)) return { kind: 'pass' }
    return failure({
      message: `A list request with ${variant} fails.`,
      expected: 'status 200 with the list',
      received: describeResponse(response),
      answers: [response],
      features: ['header', variant],
    })
  },
}
