import { isRow } from '../../is-row.js'
import { describeAnswer } from '../../rule/describe-answer.js'
import type { Watch } from '../../rule/rule.js'

export const deltaLinks: Watch = {
  kind: 'watching',
  id: 'delta-links',
  area: 'delta',
  statement:
    'Each page of change tracking has a list and one link: to the next page, or on the last page to the next round.',
  advice: 'Without a link a client cannot go on and must read everything again. An empty page has its link, too.',
  clauses: ['delta'],
  covers: ['endpoint.delta'],
  severity: 'must',
  watch: (answer, site) => {
    if (answer.trouble !== undefined || site?.endpoint.kind !== 'delta' || answer.status !== 200) return undefined
    if (answer.ask.method !== 'GET') return undefined
    const { json } = answer
    const links = ['@odata.nextLink', '@odata.deltaLink'].filter(name => isRow(json) && typeof json[name] === 'string')
    if (isRow(json) && Array.isArray(json['value']) && links.length === 1) return 'seen'
    return {
      message:
        links.length === 2
          ? 'A page of change tracking has both a next link and a delta link.'
          : links.length === 0
            ? 'A page of change tracking has neither a next link nor a delta link.'
            : 'A page of change tracking has no list.',
      expected: 'a list `value`, and either @odata.nextLink or @odata.deltaLink',
      received: describeAnswer(answer),
      answers: [answer],
      features: ['delta.links'],
    }
  },
}
