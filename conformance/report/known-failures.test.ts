import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import type { KnownFailure } from '../options.js'
import { changed, correct, isList, run, type Target, withBody } from '../testing/things.js'
import { accepts, renderKnownFailures } from './known-failures.js'

const violation = { fingerprint: '0123456789ab', rule: 'count-path', site: 'users.count' }

describe('a known failure', () => {
  it.each<[string, Partial<KnownFailure>, boolean]>([
    ['its rule', { rule: 'count-path' }, true],
    ['its rule and site', { rule: 'count-path', site: 'users.count' }, true],
    ['wildcards', { rule: 'count-*', site: 'users.*' }, true],
    ['its fingerprint, although rule and site are others', { ...violation, rule: 'x', site: 'y' }, true],
    ['its rule and site, although the fingerprint is another', { ...violation, fingerprint: 'ba9876543210' }, true],
    ['another site', { rule: 'count-path', site: 'groups.count' }, false],
    ['another rule', { rule: 'count-type' }, false],
    ['nothing that fits', { rule: 'x', site: 'y', fingerprint: 'ba9876543210' }, false],
  ])('is found by %s', (_, failure, isAccepted) => {
    expect(accepts({ rule: '', reason: 'r', ...failure }, violation)).toBe(isAccepted)
  })
})

describe('the written list of known failures', () => {
  const wrong: Target = changed(correct(), (response, request) =>
    isList(request) && request.url.includes('contains')
      ? withBody(response, body => ({ ...body, value: [] }))
      : response,
  )

  it('is YAML, and accepts all violations of the run that wrote it', async () => {
    const first = await run(wrong, { only: ['filter'] })
    const list: readonly KnownFailure[] = parse(renderKnownFailures(first.violations))
    expect(list.length).toBeGreaterThan(0)
    const second = await run(wrong, { only: ['filter'], knownFailures: list, seed: 2 })
    expect(second.violations.filter(({ known }) => known === undefined)).toEqual([])
    expect(second.knownFailures.map(({ state }) => state)).toEqual(list.map(() => 'seen'))
  })

  it('keeps the reason of a failure that is known', async () => {
    const { violations } = await run(wrong, {
      only: ['filter'],
      knownFailures: [{ rule: 'filter-*', reason: 'ticket 4711' }],
    })
    expect(renderKnownFailures(violations)).toContain('"reason":"ticket 4711"')
  })

  it('is an empty list if there are none', () => {
    expect(parse(renderKnownFailures([]))).toEqual([])
  })
})
