import { describeResponse, inconclusiveVerdict } from '../../rule/response.js'
import type { PassiveRule } from '../../rule/rule.js'

/** @see OData Protocol 4.01, 11.2.6.7 */
export const nextLinkLeadsOn: PassiveRule = {
  kind: 'passive',
  id: 'next-link-leads-on',
  area: 'paging',
  statement: 'A next link, followed unchanged, returns a page.',
  advice:
    'Clients follow links unchanged. Percent-encode the contents once, do not repeat an option, and store everything in the token that the next page needs, including nulls and unselected keys.',
  aspects: ['paging.nextLink'],
  covers: ['nextLink'],
  severity: 'must',
  inspect: (response, site) => {
    // Only links are requested by absolute URL.
    const isLink = /^https?:\/\//i.test(response.testRequest.path) && response.testRequest.method === 'GET'
    if (site?.endpoint.kind !== 'collection' || !isLink || inconclusiveVerdict(response) !== undefined) return undefined
    if (response.status === 200) return 'seen'
    return {
      message: 'A next link, followed unchanged, does not return a page.',
      expected: 'status 200 and a page of the list',
      received: describeResponse(response),
      answers: [response],
      features: ['nextLink', 'broken'],
    }
  },
}
