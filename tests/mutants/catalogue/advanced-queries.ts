import { constructsOf } from '../../../runtime/query/index.js'
import type { ErrorDefinition } from '../../../spec/language/index.js'
import type { EndpointContext } from '../service/behaviour.js'
import { type Mutant, mutantsIn } from './mutant.js'

const mutant = mutantsIn('advanced-queries')

/** The errors for missing headers. */
function isCondition(error: ErrorDefinition, { service }: Pick<EndpointContext, 'service'>): boolean {
  return service.queryCapabilities.some(({ requires }) => requires.some(({ otherwise }) => otherwise === error))
}

/** A construct that is answered without the header. */
function freeOf(construct: string): Mutant {
  const name = construct.replace('filter.', '')
  return mutant(`${name}-without-header`, `${name} is answered without its required header.`, correct => ({
    header: (header, at) => {
      const given = correct.header(header, at)
      const [condition] = 'query' in at.endpoint ? (at.endpoint.query?.requires ?? []) : []
      const isIt = condition?.header.name.toLowerCase() === header.toLowerCase()
      return isIt && requests(at, construct) ? (condition?.header.value ?? null) : given
    },
  }))
}

function requests(at: EndpointContext, construct: string): boolean {
  if (constructsOf(at.options).includes(construct)) return true
  const query = decodeURIComponent(at.request.query.replaceAll(/%(?![0-9a-f]{2})/gi, '%25'))
  const word = construct.replace('filter.', '')
  return query.includes(`${word}(`) || query.includes(`$${word}=`)
}

/** Faults of queries that require a header. */
export const advancedQueriesMutants: readonly Mutant[] = [
  freeOf('filter.contains'),
  freeOf('filter.any'),
  freeOf('search'),
  mutant(
    'contains-without-header-when-later',
    'contains needs the header only at the start of the filter.',
    correct => ({
      header: (name, at) => {
        const given = correct.header(name, at)
        const [condition] = 'query' in at.endpoint ? (at.endpoint.query?.requires ?? []) : []
        const query = decodeURIComponent(at.request.query.replaceAll(/%(?![0-9a-f]{2})/gi, '%25'))
        const isLater = query.includes('contains(') && !/\$filter=[ (]*(?:not )?[ (]*contains\(/.test(query)
        const isIt = condition?.header.name.toLowerCase() === name.toLowerCase()
        return isIt && isLater ? (condition?.header.value ?? null) : given
      },
    }),
  ),
  mutant('header-optional-with-orderby', 'A query with $orderby needs no header.', correct => ({
    header: (name, at) => {
      const conditions = 'query' in at.endpoint ? (at.endpoint.query?.requires ?? []) : []
      const needed = conditions.find(({ header }) => header.name.toLowerCase() === name.toLowerCase())
      const isFree = needed !== undefined && at.request.query.includes('orderby')
      return isFree ? needed.header.value : correct.header(name, at)
    },
  })),
  mutant('contains-without-header-beside-count', 'contains needs no header beside $count.', correct => ({
    header: (name, at) => {
      const conditions = 'query' in at.endpoint ? (at.endpoint.query?.requires ?? []) : []
      const needed = conditions.find(({ header }) => header.name.toLowerCase() === name.toLowerCase())
      const isFree = needed !== undefined && /contains.*count=true|count=true.*contains/.test(at.request.query)
      return isFree ? needed.header.value : correct.header(name, at)
    },
  })),
  mutant('header-never-needed', 'No query requires the header.', correct => ({
    header: (name, at) => {
      const conditions = 'query' in at.endpoint ? (at.endpoint.query?.requires ?? []) : []
      const needed = conditions.find(({ header }) => header.name.toLowerCase() === name.toLowerCase())
      return needed === undefined ? correct.header(name, at) : needed.header.value
    },
  })),
  mutant('header-not-seen', 'The header is sent but reported as missing.', correct => ({
    header: (name, at) => {
      const conditions = 'query' in at.endpoint ? (at.endpoint.query?.requires ?? []) : []
      const isNeeded = conditions.some(({ header }) => header.name.toLowerCase() === name.toLowerCase())
      return isNeeded ? null : correct.header(name, at)
    },
  })),
  mutant(
    'advanced-error-says-nothing',
    'The error does not say that advanced query capabilities are missing.',
    correct => ({
      error: (error, message, at) =>
        correct.error(
          isCondition(error, at) ? { ...error, code: 'Bad' } : error,
          isCondition(error, at) ? 'Bad request.' : message,
          at,
        ),
    }),
  ),
  mutant('advanced-query-empty', 'An advanced query without the header gets an empty list.', correct => ({
    error: (error, message, at) =>
      isCondition(error, at) ? { status: 200, headers: {}, json: { value: [] } } : correct.error(error, message, at),
  })),
  mutant('advanced-error-is-text', 'An advanced query without the header gets plain text.', correct => ({
    error: (error, message, at) =>
      isCondition(error, at)
        ? { status: error.status, headers: { 'Content-Type': 'text/plain' }, text: message }
        : correct.error(error, message, at),
  })),
  mutant('plain-list-needs-header', 'A plain list without options is rejected without the header.', () => ({
    reject: (_options, at) => {
      const [condition] = at.endpoint.kind === 'collection' ? (at.endpoint.query?.requires ?? []) : []
      if (condition === undefined || at.request.query !== '' || at.request.headers.has(condition.header.name))
        return undefined
      return { kind: 'refused', error: condition.otherwise }
    },
  })),
  mutant('header-changes-results', 'With the header, a filter returns one row too few.', correct => ({
    filter: (rows, test, at) => {
      const matching = correct.filter(rows, test, at)
      const conditions = 'query' in at.endpoint ? (at.endpoint.query?.requires ?? []) : []
      const isSent = conditions.some(({ header }) => at.request.headers.has(header.name))
      return isSent ? matching.slice(1) : matching
    },
  })),
]
