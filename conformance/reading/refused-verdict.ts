import type { QueryOptions } from '../../runtime/query/index.js'
import type { Answer } from '../http/answer.js'
import { describeAnswer } from '../rule/describe-answer.js'
import { isRefusal } from '../rule/refusal.js'
import { untold } from '../rule/untold.js'
import type { Verdict } from '../rule/verdict.js'
import type { Session } from '../session/session.js'
import { constructsAsked } from './constructs-asked.js'
import { isDemanded } from './is-demanded.js'
import type { QuerySite } from './list-sites.js'
import { queryText } from './query-text.js'

/** The verdict on a query that was not answered: a fault only where the spec demands an answer. */
export function refusedVerdict(answer: Answer, options: QueryOptions, site: QuerySite, session: Session): Verdict {
  const nothing = untold(answer)
  if (nothing !== undefined) return nothing
  if (!isRefusal(answer, session)) {
    return { kind: 'inconclusive', why: `${queryText(options)} got ${describeAnswer(answer)}` }
  }
  const constructs = constructsAsked(options)
  if (!isDemanded(options, site.endpoint.query, session)) return { kind: 'unsupported', constructs }
  return {
    kind: 'fail',
    finding: {
      message: `It refused ${queryText(options)}, which every service of this interface must answer.`,
      expected: 'status 200',
      received: describeAnswer(answer),
      answers: [answer],
      features: ['refused', ...Object.keys(options).sort()],
    },
  }
}
