import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { defaultPrincipalLimits } from '../../reference/handlers/own-service.js'
import { defaultConnectionLimits } from '../../reference/host/connections.js'
import { defaultReadLimits } from '../../reference/readers/reader-pool.js'
import { defaultPatternSteps, defaultQueryLimits } from '../../runtime/query/index.js'
import { defaultBatchLimits } from '../../runtime/server/index.js'
import { defaultResponseLimits } from '../../sql/read/page-bytes.js'
import { allLimits, parseLimit, requireKnownLimits, withLimitTable } from './limits.js'

describe('limits', () => {
  it('docs/security.md lists all limits, as `npm run docs` writes them', () => {
    const page = readFileSync(new URL('../../docs/security.md', import.meta.url), 'utf8')
    expect(page).toBe(withLimitTable(page))
  })

  it('the table shows the default of each limit', () => {
    const defaults = {
      ...defaultQueryLimits,
      ...defaultResponseLimits,
      ...defaultConnectionLimits,
      ...defaultBatchLimits,
      ...defaultPrincipalLimits,
      ...defaultReadLimits,
      patternSteps: defaultPatternSteps,
    }
    const documented = new Map(allLimits().map(limit => [limit.name, limit.default ?? Number.POSITIVE_INFINITY]))
    for (const [name, value] of Object.entries(defaults)) expect([name, documented.get(name)]).toEqual([name, value])
  })

  it.each(['filterNodes', 'filterNodes=', 'filterNodes=0', 'filterNodes=-1', 'filterNodes=1.5', '=1', 'a=1,b=2'])(
    '--limit %s is refused',
    text => {
      expect(() => parseLimit(text)).toThrow('such as filterNodes=100')
    },
  )

  it('--limit can be repeated', () => {
    expect(parseLimit('searchWords=5', parseLimit('filterNodes=100'))).toEqual({ filterNodes: 100, searchWords: 5 })
  })

  it.each([
    ['filterNode', 'Did you mean filterNodes?'],
    ['toString', 'Limits: url, body, '],
  ])('an unknown limit %s is refused', (name, hint) => {
    expect(() => requireKnownLimits({ [name]: 1 })).toThrow(hint)
  })
})
