import { type Expression, printFilter } from '../../../runtime/query/index.js'
import { keyOf, shareOf } from '../../discover/site.js'
import type { TestRequest } from '../../http/message.js'
import { predict } from '../../oracle/predict.js'
import { conditionsOf } from '../../probes/conditions.js'
import { grammarOf } from '../../probes/grammar.js'
import { filterRequest, filterSites, queryKeys } from '../../probes/query-keys.js'
import { filterRelation, mustBeEqual } from '../../rule/filter-relation.js'
import type { ActiveRule } from '../../rule/rule.js'
import { failure } from '../../rule/verdict.js'

export const filterEncoding: ActiveRule = {
  kind: 'active',
  id: 'filter-encoding',
  area: 'filter',
  statement: 'A filter returns the same rows in every percent-encoding, or the encoding is rejected.',
  advice:
    'Split the query at `&` first, then decode each part once. `%24filter` means `$filter`, and even a letter may be encoded.',
  aspects: ['filter.literals'],
  covers: ['filter'],
  severity: 'should',
  writes: false,
  requiredOptions: ['filter'],
  cost: 2,
  weight: 1,
  sites: filterSites,
  cases: (site, session) => {
    const snapshot = session.snapshot(site)
    const grammar = grammarOf(site, session)
    if (snapshot === undefined || grammar === undefined) return { skipReason: 'the collection could not be read' }
    const usable = conditionsOf(grammar, snapshot, session)
      .filter(({ kind }) => kind.startsWith('eq '))
      .filter(({ filter }) => {
        const { must, may } = predict(filter, snapshot, session)
        return must.size > 0 && may.size < snapshot.rows.length && printFilter(filter).includes("'")
      })
    const odd = usable.filter(({ filter }) => /[+&#% ]/.test(printFilter(filter).replace(/^\S+ eq /, '')))
    const chosen = [...odd.slice(0, 2), ...usable.slice(0, 1)]
    if (chosen.length === 0) return { skipReason: 'strings in filterable properties' }
    const variants = Object.keys(encodings)
    return {
      planned: variants.flatMap(variant => chosen.slice(0, 2).map(({ filter }) => ({ options: { filter }, variant }))),
    }
  },
  check: async ({ options, variant = '' }, site, session) => {
    const filter = options?.filter
    const encode = Object.hasOwn(encodings, variant) ? encodings[variant] : undefined
    if (filter === undefined || encode === undefined || site.type === undefined) return { kind: 'pass', vacuous: true }
    const usual = await queryKeys(site, session, { filter })
    if (usual.kind === 'ended') return usual.verdict
    const request: TestRequest = { ...filterRequest(site, { filter }), rawQuery: encode(filter) }
    const { type } = site
    const other = await session.list(request, { pages: 40 })
    if (other.end === 'rejected') return { kind: 'pass' }
    if (other.end !== 'complete' || !usual.isWhole) return { kind: 'inconclusive', why: 'not all pages could be read' }
    const keys = new Set(other.rows.flatMap(row => keyOf(row, type) ?? []))
    const missing = [...usual.keys].filter(key => !keys.has(key))
    const surplus = [...keys].filter(key => !usual.keys.has(key))
    if (missing.length + surplus.length === 0) {
      const snapshot = session.snapshot(site)
      const selected = snapshot === undefined ? [] : [shareOf(keys.size, snapshot)]
      return { kind: 'pass', vacuous: keys.size === 0, selected }
    }
    return failure({
      message: `A filter returned other rows with a different encoding: ${variant}.`,
      expected: `${usual.keys.size} rows, as with the usual encoding, or an error`,
      received: `${keys.size} rows`,
      missing,
      surplus,
      answers: [...other.pages.slice(0, 1), ...usual.answers],
      features: ['encoding', variant],
    })
  },
}

const encodings: Readonly<Record<string, (filter: Expression) => string>> = {
  'every character percent-encoded': filter => `$filter=${everyCharacter(printFilter(filter))}`,
  'the option named %24filter': filter => `%24filter=${encodeURIComponent(printFilter(filter))}`,
}

function everyCharacter(text: string): string {
  const bytes = [...new TextEncoder().encode(text)]
  return bytes.map(byte => `%${byte.toString(16).padStart(2, '0').toUpperCase()}`).join('')
}

export const filterTimeEquivalent = filterRelation({
  id: 'filter-time-equivalent',
  statement: 'A timestamp literal returns the same rows with and without trailing zeros in its fraction of a second.',
  advice: 'Compare timestamps as points in time, not as strings.',
  aspects: ['filter.literals'],
  covers: ['filter.eq', 'filter.gt'],
  severity: 'should',
  cost: 2,
  weight: 1,
  conditions: 1,
  isSupported: ({ terms }) => terms.some(({ type }) => type === 'Edm.DateTimeOffset'),
  accepts: filter => withZeros(filter) !== undefined,
  filters: ([p]) => {
    const other = p && withZeros(p)
    return p && other && [p, other]
  },
  compare: mustBeEqual('Two notations of one timestamp returned different rows.'),
})

function withZeros(filter: Expression): Expression | undefined {
  if (filter.kind !== 'binary' || filter.left.kind !== 'path' || filter.right.kind !== 'literal') return undefined
  const { right } = filter
  if (right.type !== 'DateTimeOffset' || !/\d:\d\dZ$/.test(right.value)) return undefined
  return { ...filter, right: { ...right, value: right.value.replace('Z', '.000Z') } }
}
