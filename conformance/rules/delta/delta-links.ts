import { isRow } from '../../json.js'
import { describeResponse } from '../../rule/response.js'
import type { PassiveRule } from '../../rule/rule.js'

export const deltaLinks: PassiveRule = {
  kind: 'passive',
  id: 'delta-links',
  area: 'delta',
  statement:
    'Each page of a delta query has a list and exactly one link: a next link, or on the last page a delta link.',
  advice: 'Without a link, a client cannot continue and must read everything again. An empty page has a link too.',
  aspects: ['delta.changes'],
  covers: ['endpoint.delta'],
  severity: 'must',
  inspect: (response, site) => {
    if (response.transportError !== undefined || site?.endpoint.kind !== 'delta' || response.status !== 200)
      return undefined
    if (response.testRequest.method !== 'GET') return undefined
    const { json } = response
    const links = ['@odata.nextLink', '@odata.deltaLink'].filter(name => isRow(json) && typeof json[name] === 'string')
    if (isRow(json) && Array.isArray(json['value']) && links.length === 1) return 'seen'
    return {
      message:
        links.length === 2
          ? 'A page of a delta query has both a next link and a delta link.'
          : links.length === 0
            ? 'A page of a delta query has neither a next link nor a delta link.'
            : 'A page of a delta query has no list.',
      expected: 'a list `value`, and either @odata.nextLink or @odata.deltaLink',
      received: describeResponse(response),
      answers: [response],
      features: ['delta.links'],
    }
  },
}
