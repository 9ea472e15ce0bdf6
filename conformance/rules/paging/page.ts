import type { TestResponse } from '../../http/message.js'
import { isRow } from '../../json.js'
import { duplicates, visibleKeys } from '../../lists/read-rows.js'
import { describeResponse, inconclusiveVerdict } from '../../rule/response.js'
import type { PassiveRule } from '../../rule/rule.js'
import { pageOf } from '../../session/session.js'

export const pageDistinct: PassiveRule = {
  kind: 'passive',
  id: 'page-distinct',
  area: 'paging',
  statement: 'No item appears twice on a page.',
  advice: 'Look for a join that multiplies rows, for example for a $filter on a collection or for $search.',
  aspects: ['collection.read'],
  covers: ['endpoint.collection'],
  severity: 'must',
  inspect: (response, site) => {
    // The rules of $expand check what $expand does to a list.
    if (site?.endpoint.kind !== 'collection' || response.testRequest.options?.expand !== undefined) return undefined
    const rows = pageOf(response)?.rows ?? []
    const keys = visibleKeys(rows, site.type)
    if (keys === undefined || keys.length < 2) return undefined
    const twice = duplicates(keys)
    if (twice.length === 0) return 'seen'
    const { filter, search } = response.testRequest.options ?? {}
    const joined = [filter && 'filter', search && 'search'].filter(each => typeof each === 'string')
    return {
      message: 'An item appears more than once on a page.',
      expected: 'each item once',
      received: `${keys.length} items, ${new Set(keys).size} of them different`,
      surplus: twice,
      answers: [response],
      features: ['repeated', ...joined],
    }
  },
}

/** @see OData Protocol 4.01, 11.2.6.7 */
export const nextLinkLeadsOn: PassiveRule = {
  kind: 'passive',
  id: 'next-link-leads-on',
  area: 'paging',
  statement: 'A next link, followed unchanged, returns another page.',
  advice:
    'Clients follow links unchanged. Percent-encode the contents once, do not repeat an option, and store everything in the token that the next page needs, including nulls and unselected keys.',
  aspects: ['paging.nextLink'],
  covers: ['nextLink'],
  severity: 'must',
  inspect: (response, site) => {
    const { path, method, credential = 'own' } = response.testRequest
    // Only links are requested by absolute URL.
    const isLink = /^https?:\/\//i.test(path) && method === 'GET' && credential === 'own'
    if (site?.endpoint.kind !== 'collection' || !isLink || inconclusiveVerdict(response) !== undefined) return undefined
    if (response.status === 200) {
      const next = pageOf(response)?.nextLink
      const { url } = response.request
      if (next === undefined || !URL.canParse(next, url) || new URL(next, url).href !== new URL(url).href) return 'seen'
      return {
        message: 'The next link of a page leads to the same page.',
        expected: 'a link to the page that follows, or none on the last page',
        received: `@odata.nextLink: ${next}`,
        answers: [response],
        features: ['nextLink', 'endless'],
      }
    }
    return {
      message: 'A next link, followed unchanged, does not return a page.',
      expected: 'status 200 and a page of the list',
      received: describeResponse(response),
      answers: [response],
      features: ['nextLink', 'broken'],
    }
  },
}

/** @see OData JSON Format 4.01, 4.5.5 and 13 */
export const listEnvelope: PassiveRule = {
  kind: 'passive',
  id: 'list-envelope',
  area: 'paging',
  statement: 'A list is an object with an array `value`. If it has `@odata.nextLink`, that is a URL.',
  advice:
    'Use the same envelope for every list. An empty list has an empty `value`, and the last page has no next link.',
  aspects: ['collection.value', 'paging.nextLink', 'collection.read'],
  covers: ['endpoint.collection', 'nextLink'],
  severity: 'must',
  inspect: (response, site) => {
    if (site?.endpoint.kind !== 'collection' || response.testRequest.method !== 'GET') return undefined
    // 204 stands for a value that is null, which a list never is.
    if (response.status === 204) {
      return {
        message: 'A list response has no body.',
        expected: 'status 200 and an object with value, which may be empty',
        received: 'status 204',
        answers: [response],
        features: ['envelope', 'value'],
      }
    }
    if (response.status !== 200) return undefined
    // Another rule checks that the body is JSON.
    if (response.json === undefined) return undefined
    const problem = problemOf(response.json) ?? shortName(response) ?? otherOrigin(response)
    if (problem === undefined) return 'seen'
    return {
      message: `A list response has ${problem.found}.`,
      expected: problem.expected,
      received: response.text.slice(0, 200),
      answers: [response],
      features: ['envelope', problem.feature],
    }
  },
}

interface Problem {
  readonly found: string
  readonly expected: string
  readonly feature: string
}

function problemOf(body: unknown): Problem | undefined {
  if (!isRow(body)) return { found: 'no object as its envelope', expected: 'an object with value', feature: 'value' }
  if (!Object.hasOwn(body, 'value')) return { found: 'no value', expected: 'value, a list of items', feature: 'value' }
  const { value } = body
  if (!Array.isArray(value) || !value.every(isRow)) {
    return { found: 'a value that is not a list of objects', expected: 'value, a list of items', feature: 'value' }
  }
  for (const name of ['@odata.nextLink', '@nextLink']) {
    if (!Object.hasOwn(body, name)) continue
    const link = body[name]
    if (typeof link === 'string' && link !== '' && URL.canParse(link, 'http://host/')) continue
    const found =
      link === '' ? 'an empty @odata.nextLink' : `an @odata.nextLink that is not a URL: ${JSON.stringify(link)}`
    return { found, expected: 'a URL, or no @odata.nextLink on the last page', feature: 'nextLink' }
  }
  return undefined
}

/**
 * A next link at another host than that of the service. Behind a proxy, a service may know itself by another address than the one
 * that is checked, but then the context of the same response has that address, too.
 */
function otherOrigin({ json, request }: TestResponse): Problem | undefined {
  if (!isRow(json)) return undefined
  const originOf = (link: unknown): string | undefined =>
    typeof link === 'string' && URL.canParse(link, request.url) ? new URL(link, request.url).origin : undefined
  const { '@odata.context': context, '@odata.nextLink': next } = json
  const own = new URL(request.url).origin
  const other = originOf(next)
  const isAbsolute = typeof context === 'string' && /^https?:/i.test(context)
  if (other === undefined || other === own || !isAbsolute || originOf(context) !== own) return undefined
  return {
    found: `an @odata.nextLink at ${other}, although its @odata.context is at ${own}`,
    expected: `a link at ${own}: clients send their credentials to no other host`,
    feature: 'nextLink',
  }
}

/**
 * Control information without the prefix `odata.`, which responses of OData 4.01 may omit.
 *
 * @see OData JSON Format 4.01, 4.6
 */
function shortName({ json, headers }: TestResponse): Problem | undefined {
  if (!isRow(json) || /^\s*4\.0?[1-9]/.test(headers['odata-version'] ?? '')) return undefined
  const name = ['nextLink', 'count', 'deltaLink'].find(each => {
    return Object.hasOwn(json, `@${each}`) && !Object.hasOwn(json, `@odata.${each}`)
  })
  return name === undefined
    ? undefined
    : { found: `@${name} without the prefix odata.`, expected: `@odata.${name}`, feature: name }
}
