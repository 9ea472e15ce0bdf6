import { allConditionHeaders } from '../../rule/all-condition-headers.js'
import { errorFinding } from '../../rule/refusal.js'
import type { Rule } from '../../rule/rule.js'
import { untold } from '../../rule/untold.js'
import { firstOfEach } from '../../site/first-of-each.js'
import { mostDifferent } from '../../site/most-different.js'
import { malformedOptions } from './malformed-options.js'

export const malformedOption: Rule = {
  kind: 'asking',
  id: 'malformed-option',
  area: 'errors',
  statement: 'A query option that cannot be read is refused, never passed over.',
  advice:
    'A client whose typing error is ignored works with rows that it did not ask for. Parse every option before the query runs, check names and literals against the types, and answer 400 with what is wrong.',
  clauses: ['error.unsupported'],
  covers: ['error.malformedQueryOption', 'fault.malformedQueryOption', 'filter', 'orderby', 'top', 'skip', 'expand'],
  severity: 'must',
  writes: false,
  cost: 1,
  weight: 6,
  sites: session =>
    mostDifferent(firstOfEach(session.sites).filter(site => malformedOptions(site, session).length > 0)),
  cases: (site, session) => ({ planned: malformedOptions(site, session) }),
  check: async ({ name = '', text = '' }, site, session) => {
    const answer = await session.ask({
      method: 'GET',
      path: site.path,
      rawQuery: `$${name}=${encodeURIComponent(text)}`,
      headers: allConditionHeaders(site.endpoint),
    })
    const nothing = untold(answer)
    if (nothing !== undefined) return nothing
    const { malformedQueryOption, unsupportedQueryOption } = session.service.faults
    const finding = errorFinding(answer, [malformedQueryOption, unsupportedQueryOption], session)
    if (finding === undefined) return { kind: 'pass' }
    if (answer.status >= 400) return { kind: 'fail', finding }
    return {
      kind: 'fail',
      finding: {
        ...finding,
        message: `$${name}=${text} was answered with status ${answer.status} though nothing can be meant by it.`,
        features: [...finding.features, name],
      },
    }
  },
}
