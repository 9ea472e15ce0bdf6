import { onePerEndpoint } from '../../discover/site.js'
import { errorFinding, inconclusiveVerdict } from '../../rule/response.js'
import type { ActiveRule } from '../../rule/rule.js'

/** What no version of the standard has. */
export const unknownOptionQuery = '$frobnicate=1'

export const unknownOption: ActiveRule = {
  kind: 'asking',
  id: 'unknown-option',
  area: 'errors',
  statement:
    'A system query option that there is not is refused, or passed over where that is the choice of the service.',
  advice:
    'Names that begin with $ belong to the standard: a misspelt $fitler that is passed over gives all rows. Refuse what you do not know, everywhere alike.',
  clauses: ['error.unsupported', 'options.supported'],
  covers: ['error.unsupportedQueryOption', 'fault.unsupportedQueryOption', 'open.unknownOption'],
  severity: 'must',
  writes: false,
  cost: 1,
  weight: 2,
  sites: ({ sites }) => onePerEndpoint(sites).filter(({ endpoint }) => endpoint.kind === 'collection'),
  cases: () => ({ planned: [{ variant: 'unknown' }] }),
  check: async (_test, site, session) => {
    const answer = await session.send({ method: 'GET', path: site.path, rawQuery: unknownOptionQuery })
    const nothing = inconclusiveVerdict(answer)
    if (nothing !== undefined) return nothing
    const choice = session.service.open.find(({ name }) => name === 'unknownOption')
    const learned = session.choices.get('unknownOption')
    const { unsupportedQueryOption, malformedQueryOption } = session.service.faults
    const finding = errorFinding(answer, [unsupportedQueryOption, malformedQueryOption], session)
    if (finding === undefined) return { kind: 'pass' }
    const mayIgnore = choice?.legal.includes('ignored') === true && learned !== 'error'
    if (answer.status < 300 && mayIgnore) return { kind: 'pass' }
    const because = learned === 'error' ? ' Elsewhere it refuses such options.' : ''
    return { kind: 'fail', finding: { ...finding, message: `${finding.message}${because}` } }
  },
}
