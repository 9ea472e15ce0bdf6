import { isRow } from '../../json.js'
import type { PassiveRule } from '../../rule/rule.js'

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
    if (site?.endpoint.kind !== 'collection' || response.status !== 200 || response.testRequest.method !== 'GET')
      return undefined
    // Another rule checks that the body is JSON.
    if (response.json === undefined) return undefined
    const problem = problemOf(response.json)
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
