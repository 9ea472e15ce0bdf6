import { describeResponse, inconclusiveVerdict } from '../../rule/response.js'
import type { PassiveRule } from '../../rule/rule.js'

/** PAG-LINK. */
export const nextLinkLeadsOn: PassiveRule = {
  kind: 'watching',
  id: 'next-link-leads-on',
  area: 'paging',
  statement: 'A next link, followed as it came, is answered with a page.',
  advice:
    'Links are followed without a change. Percent-encode what they carry, once; do not repeat an option; and let the ' +
    'token hold what the next page needs, nulls and keys that were not selected included.',
  clauses: ['envelope.nextLink', 'paging.links'],
  covers: ['nextLink'],
  severity: 'must',
  inspect: (answer, site) => {
    // Only links are asked by their whole address.
    const isLink = /^https?:\/\//i.test(answer.testRequest.path) && answer.testRequest.method === 'GET'
    if (site?.endpoint.kind !== 'collection' || !isLink || inconclusiveVerdict(answer) !== undefined) return undefined
    if (answer.status === 200) return 'seen'
    return {
      message: 'A next link, followed as it came, does not lead to a page.',
      expected: 'status 200 and a page of the list',
      received: describeResponse(answer),
      answers: [answer],
      features: ['nextLink', 'broken'],
    }
  },
}
