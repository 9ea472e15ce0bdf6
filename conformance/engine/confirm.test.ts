import { describe, expect, it } from 'vitest'
import { type Site, siteOf } from '../discover/site.js'
import type { Finding } from '../rule/rule.js'
import { service } from '../testing/things.js'
import { confirm } from './confirm.js'

const finding: Finding = { message: 'm', expected: 'e', received: 'r', answers: [], features: [] }

/** @param checks what each look finds: a fault, or none; @param changes whether the data had changed at each reading */
const run = (checks: readonly boolean[], changes: readonly boolean[], sites: () => readonly Site[] = () => []) => {
  const left = [...checks]
  const changed = [...changes]
  return confirm(
    async () => (left.shift() === true ? finding : undefined),
    async () => changed.shift() ?? false,
    sites,
  )
}

describe('a suspected violation', () => {
  it('is confirmed if it occurs twice and nothing changed', async () => {
    expect(await run([true, true], [])).toMatchObject({ kind: 'confirmed', how: 'seen again 2 of 2 times' })
  })

  it('is confirmed if it is intermittent', async () => {
    expect(await run([true, false, true], [])).toMatchObject({ kind: 'confirmed', how: 'seen again 2 of 3 times' })
  })

  it('is flaky if it does not occur again although nothing changed', async () => {
    expect(await run([true, false], [])).toEqual({ kind: 'flaky' })
    expect(await run([false], [])).toEqual({ kind: 'flaky' })
  })

  it('is checked again if the data changed meanwhile', async () => {
    expect(await run([true, false, false, true, true], [false, true])).toMatchObject({ kind: 'confirmed' })
  })

  it('is not checked again if a collection was used through another object', async () => {
    const sites = (): readonly Site[] => service.endpoints.slice(0, 1).flatMap(endpoint => siteOf(endpoint) ?? [])
    expect(sites()).toHaveLength(1)
    expect(await run([true, true], [], sites)).toMatchObject({
      kind: 'confirmed',
      how: expect.stringMatching(/data unchanged/),
    })
  })

  it('is abandoned if the data change each time', async () => {
    expect(await run(Array(9).fill(true), Array(9).fill(true))).toEqual({ kind: 'unstable' })
  })
})
