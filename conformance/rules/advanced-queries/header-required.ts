import { permittedValues } from '../../choices/choices.js'
import { scopeOf } from '../../choices/scope.js'
import { onePerEndpoint, type Site } from '../../discover/site.js'
import { describeResponse, errorFinding, inconclusiveVerdict, isRejection } from '../../rule/response.js'
import type { ActiveRule } from '../../rule/rule.js'
import { failure } from '../../rule/verdict.js'
import type { Session } from '../../session/session.js'
import { conditionOf, explainsCondition, mentionsCondition, type Trigger, triggersOf } from './triggers.js'

export const headerRequired: ActiveRule = {
  kind: 'active',
  id: 'header-required',
  area: 'advanced-queries',
  statement: 'A query that requires a header is rejected without it, and the error names the reason.',
  advice:
    'Decide from the parsed query, wherever the construct occurs in the expression, and compare the value of the header too. The message states what is missing.',
  aspects: ['advanced.header'],
  covers: ['requires', 'error.advancedQueryUnavailable', 'open.advancedQueryStatus', 'open.advancedCollections'],
  severity: 'must',
  writes: false,
  cost: 1,
  weight: 18,
  sites: session => onePerEndpoint(session.sites).filter(site => demanded(site, session).length > 0),
  cases: (site, session) => {
    const triggers = demanded(site, session)
    const tests = triggers.map(({ test }) => test)
    return {
      planned: [
        ...tests.map(test => ({ ...test, variant: 'without' })),
        ...tests.slice(0, 1).map(test => ({ ...test, variant: 'another value' })),
        ...triggers.flatMap(({ nested }) => nested.map(test => ({ ...test, variant: 'nested' }))),
        ...tests.slice(1).map(test => ({ ...test, variant: 'another value' })),
      ],
    }
  },
  check: async ({ name = '', text: rawQuery = '', variant }, site, session) => {
    const condition = conditionOf(site, name)
    if (condition === undefined) return { kind: 'inconclusive', why: 'the spec does not declare this condition' }
    const { header, otherwise, open } = condition
    if (open !== undefined && String(session.choices.get(open.name)) !== 'rejected') {
      return { kind: 'pass', vacuous: true }
    }
    const headers = variant === 'another value' ? { [header.name]: 'specwright-other' } : {}
    const response = await session.send({ method: 'GET', path: site.path, rawQuery, headers })
    const inconclusive = inconclusiveVerdict(response)
    if (inconclusive !== undefined) return inconclusive
    const finding = errorFinding(response, otherwise, session)
    if (finding !== undefined) {
      if (response.status < 300 && open === undefined && (await isExempt(site, session))) {
        return { kind: 'pass', vacuous: true }
      }
      if (response.status >= 400 && variant === 'nested') return { kind: 'pass', vacuous: true }
      const how = variant === 'another value' ? `with another value of ${header.name}` : `without ${header.name}`
      const message = response.status < 400 ? `The service answered a query with ${name} ${how}.` : finding.message
      return failure({ ...finding, message })
    }
    if (explainsCondition(response, condition)) return { kind: 'pass' }
    const given = { method: 'GET', path: site.path, rawQuery, headers: { [header.name]: header.value } } as const
    const accepted = await session.send(given)
    if (isRejection(accepted, session)) {
      const around = variant === 'nested' ? ['filter.and', 'filter.or'] : []
      return { kind: 'unsupported', constructs: [...name.split('+'), ...around] }
    }
    if (accepted.status >= 300)
      return { kind: 'inconclusive', why: 'the service did not answer it with the header either' }
    return failure({
      message: `The error for a query without ${header.name} does not say what is missing.`,
      expected: `a message such as: ${otherwise.message}`,
      received: describeResponse(response),
      answers: [response, accepted],
      features: [`error.${otherwise.name}`, 'message'],
    })
  },
}

/**
 * Whether a service serves the advanced queries of a collection without the header, all of them, and rejects those of
 * another collection. The choice `advancedCollections` permits that.
 */
async function isExempt(site: Site, session: Session): Promise<boolean> {
  if (!permittedValues(session, 'advancedCollections', 'all').includes('some')) return false
  const isDemanded = async (at: Site, { condition, test }: Trigger): Promise<boolean> => {
    const response = await session.send({ method: 'GET', path: at.path, rawQuery: test.text ?? '' })
    return isRejection(response, session) && mentionsCondition(response, condition)
  }
  const scope = scopeOf(site)
  const isAnyDemanded = async (sites: readonly Site[], queries: number): Promise<boolean> => {
    for (const at of sites) {
      const triggers = triggersOf(at, session).filter(({ condition }) => condition.open === undefined)
      for (const trigger of triggers.slice(0, queries)) if (await isDemanded(at, trigger)) return true
    }
    return false
  }
  const sites = onePerEndpoint(session.sites)
  if (
    await isAnyDemanded(
      sites.filter(each => scopeOf(each) === scope),
      Number.POSITIVE_INFINITY,
    )
  )
    return false
  // A collection rejects all its advanced queries, or none.
  return isAnyDemanded(
    sites.filter(each => scopeOf(each) !== scope),
    1,
  )
}

/** Queries that this service must reject: by declaration, or as learned. */
function demanded(site: Site, session: Session): readonly Trigger[] {
  return triggersOf(site, session).filter(({ condition: { open } }) => {
    return open === undefined || String(session.choices.at(site).get(open.name)) === 'rejected'
  })
}

export const headerSuffices: ActiveRule = {
  kind: 'active',
  id: 'header-suffices',
  area: 'advanced-queries',
  statement: 'A query with its required header is not rejected for a missing header.',
  advice:
    'Header names are case-insensitive. Look for a header that is read from the wrong place, for example inside a batch, or lost in a gateway.',
  aspects: ['advanced.header'],
  covers: ['requires'],
  severity: 'must',
  writes: false,
  cost: 1,
  weight: 3,
  sites: session => onePerEndpoint(session.sites).filter(site => triggersOf(site, session).length > 0),
  cases: (site, session) => ({
    planned: triggersOf(site, session).map(({ test }) => test),
  }),
  check: async ({ name = '', text: rawQuery = '' }, site, session) => {
    const condition = conditionOf(site, name)
    if (condition === undefined) return { kind: 'inconclusive', why: 'the spec does not declare this condition' }
    const { header, otherwise } = condition
    const headers = { [header.name]: header.value }
    const response = await session.send({ method: 'GET', path: site.path, rawQuery, headers })
    const inconclusive = inconclusiveVerdict(response)
    if (inconclusive !== undefined) return inconclusive
    if (!isRejection(response, session)) {
      return response.status < 300 ? { kind: 'pass' } : { kind: 'inconclusive', why: describeResponse(response) }
    }
    if (!mentionsCondition(response, condition)) return { kind: 'unsupported', constructs: name.split('+') }
    const without = await session.send({ method: 'GET', path: site.path, rawQuery })
    if (without.status !== response.status || !mentionsCondition(without, condition)) {
      return { kind: 'unsupported', constructs: name.split('+') }
    }
    return failure({
      message: `A query with ${name} was rejected for a missing ${header.name}, although the header was sent.`,
      expected: 'the rows, or an error that names what is not supported',
      received: describeResponse(response),
      answers: [response, without],
      features: [`error.${otherwise.name}`, 'header sent'],
    })
  },
}
