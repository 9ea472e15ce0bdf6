import { isRefusal } from '../../rule/refusal.js'
import { triggersOf } from '../../rules/advanced-queries/triggers.js'
import { witnessed } from './legal-value.js'

export const advancedQueryStatus = witnessed(
  'advancedQueryStatus',
  'no query that needs a header was refused without it',
  async session => {
    for (const site of session.sites) {
      const trigger = triggersOf(site, session).find(({ condition }) => condition.open === undefined)
      if (trigger === undefined) continue
      const answer = await session.ask({ method: 'GET', path: site.path, rawQuery: trigger.test.text ?? '' })
      if (!isRefusal(answer, session)) return []
      return [{ shown: answer.status, text: `GET ${site.path}?${trigger.test.text} answered ${answer.status}` }]
    }
    return []
  },
)
