import { filterable } from '../../rule/filterable.js'
import { quoted } from '../../rule/quoted.js'
import { untold } from '../../rule/untold.js'
import { witnessed } from './legal-value.js'

/** The part of the declared length that is tried. */
const share = 0.8

export const queryLimits = witnessed('queryLimits', 'no collection takes a filter', async session => {
  for (const site of session.sites) {
    const [property] = site.endpoint.kind === 'collection' ? filterable(site, session, 'String') : []
    if (property === undefined) continue
    const length = Math.floor(session.service.limits.url * share)
    const rawQuery = `$filter=${encodeURIComponent(`${property.name} eq ${quoted('a'.repeat(length))}`)}`
    const answer = await session.ask({ method: 'GET', path: site.path, rawQuery })
    if (answer.trouble === undefined && untold(answer) !== undefined) continue
    if (answer.trouble !== undefined || (answer.status >= 500 && answer.status !== 501)) return []
    const shown = answer.status === 200 ? 'declared' : 'lower'
    return [{ shown, text: `GET ${site.path} with a query of ${rawQuery.length} characters answered ${answer.status}` }]
  }
  return []
})
