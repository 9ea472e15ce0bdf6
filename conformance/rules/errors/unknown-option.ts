import type { QueryOptions } from '../../../runtime/query/index.js'
import { onePerEndpoint, type Site } from '../../discover/site.js'
import { errorFinding, inconclusiveVerdict } from '../../rule/response.js'
import type { ActiveRule } from '../../rule/rule.js'
import { failure } from '../../rule/verdict.js'

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
    return failure({ ...finding, message: `${finding.message}${because}` })
  },
}

const unknownName = 'specwrightNoSuch'

export function unknownPropertyQueries({ endpoint, type }: Site): Readonly<Record<string, QueryOptions>> {
  if (!('query' in endpoint) || endpoint.query === undefined || type === undefined || type.open) return {}
  const { select, orderby } = endpoint.query
  const key = type.key[0]?.name ?? unknownName
  const ordered = { expression: { kind: 'path', segments: [{ kind: 'property', name: unknownName }] } } as const
  return {
    ...(select === 'none' ? {} : { select: { select: [{ path: [key] }, { path: [unknownName] }] } }),
    ...(orderby.support === 'none' ? {} : { orderby: { orderby: [{ ...ordered, direction: 'asc' }] } }),
  }
}

export const unknownProperty: ActiveRule = {
  kind: 'active',
  id: 'unknown-property',
  area: 'errors',
  statement: 'An unknown property in $select or $orderby is rejected, or ignored if that is the choice of the service.',
  advice:
    'If you ignore a misspelled name, the client gets rows without the value or in no particular order. Check names against the type.',
  aspects: ['error.unsupported', 'options.support'],
  covers: ['fault.malformedQueryOption', 'select', 'orderby', 'open.unknownProperty'],
  severity: 'must',
  writes: false,
  cost: 1,
  weight: 2,
  sites: ({ sites }) => onePerEndpoint(sites).filter(site => Object.keys(unknownPropertyQueries(site)).length > 0),
  cases: site => ({
    planned: Object.keys(unknownPropertyQueries(site)).map(name => ({ name })),
  }),
  check: async ({ name = '' }, site, session) => {
    const queries = unknownPropertyQueries(site)
    const options = Object.hasOwn(queries, name) ? (queries[name] ?? {}) : {}
    const response = await session.send({ method: 'GET', path: site.path, options })
    const inconclusive = inconclusiveVerdict(response)
    if (inconclusive !== undefined) return inconclusive
    const { malformedQueryOption, unsupportedQueryOption } = session.service.faults
    const finding = errorFinding(response, [malformedQueryOption, unsupportedQueryOption], session)
    if (finding === undefined) return { kind: 'pass' }
    const choice = session.service.open.find(each => each.name === 'unknownProperty')
    const learned = session.choices.get('unknownProperty')
    const mayIgnore = choice?.legal.includes('ignored') === true && learned !== 'error'
    if (response.status < 300 && mayIgnore) return { kind: 'pass' }
    const because =
      learned === 'error' && choice?.legal.includes('ignored') ? ' On other endpoints it rejects such names.' : ''
    return failure({ ...finding, message: `${finding.message}${because}`, features: [...finding.features, name] })
  },
}
