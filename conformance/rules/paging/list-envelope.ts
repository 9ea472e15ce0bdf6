import { isRow } from '../../json.js'
import type { PassiveRule } from '../../rule/rule.js'

/** The envelope of 2.4. */
export const listEnvelope: PassiveRule = {
  kind: 'watching',
  id: 'list-envelope',
  area: 'paging',
  statement: 'A list is an object with value, a list of items; its @odata.nextLink, when there is one, is an address.',
  advice:
    'The envelope is the same for every list: an empty one has an empty value, the last page has no next link at all.',
  clauses: ['envelope.value', 'envelope.nextLink', 'collection.list'],
  covers: ['endpoint.collection', 'nextLink'],
  severity: 'must',
  inspect: (answer, site) => {
    if (site?.endpoint.kind !== 'collection' || answer.status !== 200 || answer.testRequest.method !== 'GET')
      return undefined
    // A body that is no JSON at all is the matter of another rule.
    if (answer.json === undefined) return undefined
    const problem = problemOf(answer.json)
    if (problem === undefined) return 'seen'
    return {
      message: `The envelope of a list has ${problem.found}.`,
      expected: problem.expected,
      received: answer.text.slice(0, 200),
      answers: [answer],
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
  if (!isRow(body)) return { found: 'no object around it', expected: 'an object with value', feature: 'value' }
  if (!Object.hasOwn(body, 'value')) return { found: 'no value', expected: 'value, a list of items', feature: 'value' }
  const { value } = body
  if (!Array.isArray(value) || !value.every(isRow)) {
    return { found: 'a value that is no list of objects', expected: 'value, a list of items', feature: 'value' }
  }
  for (const name of ['@odata.nextLink', '@nextLink']) {
    if (!Object.hasOwn(body, name)) continue
    const link = body[name]
    if (typeof link === 'string' && link !== '' && URL.canParse(link, 'http://host/')) continue
    const found =
      link === '' ? 'an empty @odata.nextLink' : `a @odata.nextLink that is no address: ${JSON.stringify(link)}`
    return { found, expected: 'an address, or no @odata.nextLink on the last page', feature: 'nextLink' }
  }
  return undefined
}
