import { onePerEndpoint } from '../../discover/site.js'
import { errorFinding, inconclusiveVerdict } from '../../rule/response.js'
import type { ActiveRule } from '../../rule/rule.js'

/** An option that no version of the standard defines. */
export const unknownOptionQuery = '$frobnicate=1'

export const unknownOption: ActiveRule = {
  kind: 'active',
  id: 'unknown-option',
  area: 'errors',
  statement: 'An unknown system query option is rejected, or ignored if that is the choice of the service.',
  advice:
    'Names that start with $ are reserved for the standard. If you ignore a misspelled $fitler, the client gets all rows. Reject unknown options on every endpoint.',
  aspects: ['error.unsupported', 'options.support'],
  covers: ['error.unsupportedQueryOption', 'fault.unsupportedQueryOption', 'open.unknownOption'],
  severity: 'must',
  writes: false,
  cost: 1,
  weight: 2,
  sites: ({ sites }) => onePerEndpoint(sites).filter(({ endpoint }) => endpoint.kind === 'collection'),
  cases: () => ({ planned: [{ variant: 'unknown' }] }),
  check: async (_test, site, session) => {
    const response = await session.send({ method: 'GET', path: site.path, rawQuery: unknownOptionQuery })
    const inconclusive = inconclusiveVerdict(response)
    if (inconclusive !== undefined) return inconclusive
    const choice = session.service.open.find(({ name }) => name === 'unknownOption')
    const learned = session.choices.get('unknownOption')
    const { unsupportedQueryOption, malformedQueryOption } = session.service.faults
    const finding = errorFinding(response, [unsupportedQueryOption, malformedQueryOption], session)
    if (finding === undefined) return { kind: 'pass' }
    const mayIgnore = choice?.legal.includes('ignored') === true && learned !== 'error'
    if (response.status < 300 && mayIgnore) return { kind: 'pass' }
    const because = learned === 'error' ? ' On other endpoints it rejects such options.' : ''
    return { kind: 'fail', finding: { ...finding, message: `${finding.message}${because}` } }
  },
}
