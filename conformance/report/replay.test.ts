import { describe, expect, it } from 'vitest'
import { createVariantService, variantsOf } from '../../tests/mutants/index.js'
import type { Violation } from '../index.js'
import { changed, correct, isList, run, service, type Target, withBody } from '../testing/things.js'

const skipsWrong = (): Target =>
  changed(correct(), (response, request) =>
    isList(request) && request.url.includes('skip=') ? withBody(response, body => ({ ...body, value: [] })) : response,
  )

const readsHaveNoType = (): Target =>
  changed(correct(), async (response, request) =>
    isList(request) && response.status === 200
      ? new Response(await response.text(), { headers: { 'content-type': 'text/plain' } })
      : response,
  )

const createsHaveNoType = (): Target =>
  changed(correct(), async (response, request) =>
    request.method === 'POST' && response.status === 201
      ? new Response(await response.text(), { status: 201, headers: { 'content-type': 'text/plain' } })
      : response,
  )

const nullsAreHighest = (): Target => {
  const variant = variantsOf(service).find(({ name }) => name === 'nullOrder-highest')
  return createVariantService(variant === undefined ? [] : [variant], service, 1)
}

describe('a replay', () => {
  it.each<[string, () => Target, (violation: Violation) => boolean]>([
    ['a rule', skipsWrong, ({ rule }) => rule.includes('skip')],
    [
      'a passive rule for reads',
      readsHaveNoType,
      ({ rule, exchanges }) => rule === 'json-content-type' && exchanges[0]?.method === 'GET',
    ],
    ['a passive rule for writes', createsHaveNoType, ({ rule }) => rule === 'json-content-type'],
    ['a choice that the profile does not allow', nullsAreHighest, ({ rule }) => rule.startsWith('choice-')],
  ])('of %s finds the same violation again, and conforms once it is fixed', async (_, wrong, wanted) => {
    const { violations } = await run(wrong(), { allowWrites: true, profile: 'strict' })
    const violation = violations.find(wanted)
    expect(violation?.replay, violations.map(({ rule }) => rule).join()).toBeDefined()
    const replay = violation?.replay ?? ''
    const again = await run(wrong(), { replay, allowWrites: true, profile: 'strict' })
    expect(again.verdict).toBe('violations')
    expect(again.violations.map(({ rule }) => rule)).toContain(violation?.rule)
    expect(await run(correct(), { replay, allowWrites: true, profile: 'strict' })).toMatchObject({
      verdict: 'conforms',
      violations: [],
    })
  })

  it('of a rejected request has insufficient coverage', async () => {
    const { violations } = await run(skipsWrong())
    const replay = violations.find(({ rule }) => rule.includes('skip'))?.replay ?? ''
    const empty: Target = changed(correct(), (response, request) =>
      isList(request) ? withBody(response, () => ({ value: [] })) : response,
    )
    expect(await run(empty, { replay })).toMatchObject({ verdict: 'insufficient-coverage' })
  })
})
