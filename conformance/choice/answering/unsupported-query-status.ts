import { isRefusal } from '../../rule/refusal.js'
import { unsupportedQueries } from '../../rules/errors/unsupported-queries.js'
import { witnessed } from './legal-value.js'

export const unsupportedQueryStatus = witnessed(
  'unsupportedQueryStatus',
  'nothing that the spec says is not supported was refused',
  async session => {
    const item = session.sites.find(site => {
      return site.endpoint.kind === 'item' && unsupportedQueries(site, undefined).length > 0
    })
    const [query] = item === undefined ? [] : unsupportedQueries(item, undefined)
    if (item === undefined || query === undefined) return []
    const answer = await session.ask({ method: 'GET', path: item.path, rawQuery: query.text ?? '' })
    if (!isRefusal(answer, session)) return []
    return [{ shown: answer.status, text: `GET ${item.path}?${query.text} answered ${answer.status}` }]
  },
)
