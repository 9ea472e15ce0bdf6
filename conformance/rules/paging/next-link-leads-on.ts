import { describeAnswer } from '../../rule/describe-answer.js'
import type { Watch } from '../../rule/rule.js'
import { untold } from '../../rule/untold.js'

/** PAG-LINK. */
export const nextLinkLeadsOn: Watch = {
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
  watch: (answer, site) => {
    // Only links are asked by their whole address.
    const isLink = /^https?:\/\//i.test(answer.ask.path) && answer.ask.method === 'GET'
    if (site?.endpoint.kind !== 'collection' || !isLink || untold(answer) !== undefined) return undefined
    if (answer.status === 200) return 'seen'
    return {
      message: 'A next link, followed as it came, does not lead to a page.',
      expected: 'status 200 and a page of the list',
      received: describeAnswer(answer),
      answers: [answer],
      features: ['nextLink', 'broken'],
    }
  },
}
