import type { Answer } from '../../http/answer.js'
import { isRow } from '../../is-row.js'
import type { Row } from '../../json.js'
import { allConditionHeaders } from '../../rule/all-condition-headers.js'
import { describeAnswer } from '../../rule/describe-answer.js'
import { errorFinding } from '../../rule/refusal.js'
import type { Rule } from '../../rule/rule.js'
import { untold } from '../../rule/untold.js'
import { pageOf } from '../../session/page-of.js'
import type { Session } from '../../session/session.js'
import { firstOfEach } from '../../site/first-of-each.js'
import { mostDifferent } from '../../site/most-different.js'
import type { Site } from '../../site/site.js'
import { unsupportedQueries } from './unsupported-queries.js'

export const unsupportedOption: Rule = {
  kind: 'asking',
  id: 'unsupported-option',
  area: 'errors',
  statement: 'A query option that an endpoint does not support is refused with an error object, never passed over.',
  advice:
    'A client that asks for less and gets everything does not notice. Refuse the options that a route does not carry out; where one is carried out beyond the interface, carry it out in full.',
  clauses: ['error.unsupported', 'options.supported'],
  covers: ['error.unsupportedQueryOption', 'fault.unsupportedQueryOption', 'open.optionSupport'],
  severity: 'must',
  writes: false,
  cost: 1,
  weight: 4,
  sites: session => {
    const kinds = ['item', 'delta', 'collection']
    const sites = firstOfEach(session.sites)
      .filter(({ endpoint }) => kinds.includes(endpoint.kind))
      .filter(site => queriesOf(site, session).length > 0)
      .sort((a, b) => kinds.indexOf(a.endpoint.kind) - kinds.indexOf(b.endpoint.kind))
    return mostDifferent(sites)
  },
  cases: (site, session) => ({ planned: queriesOf(site, session) }),
  check: async ({ name = '', text = '', variant }, site, session) => {
    const headers = allConditionHeaders(site.endpoint)
    const answer = await session.ask({ method: 'GET', path: site.path, rawQuery: text, headers })
    const nothing = untold(answer)
    if (nothing !== undefined) return nothing
    const { unsupportedQueryOption, malformedQueryOption } = session.service.faults
    const finding = errorFinding(answer, [unsupportedQueryOption, malformedQueryOption], session)
    if (finding === undefined) return { kind: 'pass' }
    if (answer.status >= 300) return { kind: 'fail', finding }
    const passedOver = isPassedOver(name, variant, answer, site)
    if (passedOver === undefined)
      return { kind: 'inconclusive', why: 'the answer does not show whether it was carried out' }
    if (!passedOver) return { kind: 'pass' }
    return {
      kind: 'fail',
      finding: {
        message: `$${name}, which is not supported there, was passed over instead of refused.`,
        expected: finding.expected,
        received: describeAnswer(answer),
        answers: [answer],
        features: [...finding.features, name],
      },
    }
  },
}

function queriesOf(site: Site, session: Session): ReturnType<typeof unsupportedQueries> {
  if (site.endpoint.kind === 'item') return unsupportedQueries(site, undefined)
  const rows = rowsOf(site, session)
  return rows < 2 ? [] : unsupportedQueries(site, rows)
}

/** Rows of the collection itself, or of another that has the same type. */
function rowsOf(site: Site, session: Session): number {
  const own = session.snapshot(site)
  if (own !== undefined) return own.rows.length
  const root = site.endpoint.resolved[0]
  const set = session.sites.find(({ endpoint }) => {
    return endpoint.kind === 'collection' && endpoint.resolved.length === 1 && isSameStart(endpoint.resolved[0], root)
  })
  return set === undefined ? 0 : (session.snapshot(set)?.rows.length ?? 0)
}

function isSameStart(left: unknown, right: unknown): boolean {
  return isRow(left) && isRow(right) && left['element'] === right['element']
}

/** Whether an answer is the one that there is without the option; absent when it cannot be told. */
function isPassedOver(
  option: string,
  relation: string | undefined,
  answer: Answer,
  { endpoint, type }: Site,
): boolean | undefined {
  if (endpoint.kind === 'item') {
    if (!isRow(answer.json) || option === 'select') return undefined
    return option === 'expand' ? relation === undefined || !Object.hasOwn(answer.json, relation) : true
  }
  const page = pageOf(answer)
  if (page === undefined) return undefined
  const { rows } = page
  switch (option) {
    case 'top':
      return rows.length > 1
    case 'filter':
    case 'search':
    case 'skip':
      return rows.length > 0
    case 'count':
      return !isRow(answer.json) || !Object.hasOwn(answer.json, '@odata.count')
    case 'expand':
      return rows.length === 0 || relation === undefined ? undefined : !rows.some(row => Object.hasOwn(row, relation))
    case 'select':
      return rows.some(row => (type?.properties ?? []).some(({ name }) => isValue(row, name) && !isKey(name, type)))
    default:
      return undefined
  }
}

function isValue(row: Row, name: string): boolean {
  return Object.hasOwn(row, name) && row[name] !== null
}

function isKey(name: string, type: Site['type']): boolean {
  return type?.key.some(key => key.name === name) === true
}
