import { describe, expect, it } from 'vitest'
import { type Choices, createChoiceRecord, withCommonValue } from '../choices/choices.js'
import { type Site, siteOf } from '../discover/site.js'
import type { Finding } from '../rule/verdict.js'
import { specOf } from '../testing/rule-tests.js'
import { service } from '../testing/things.js'
import { confirm, explainFinding } from './explain.js'

const directory = specOf('directory')
const site = (name: string) => {
  const endpoint = directory.endpoints.find(each => each.name === name)
  const found = endpoint === undefined ? undefined : siteOf(endpoint)
  if (found === undefined) throw new Error(`There is no site ${name}.`)
  return found
}
const users = site('users.list')
const messages = site('me.messages.list')

/** What was observed at users. */
function recordOf(values: Readonly<Record<string, string>>) {
  const record = createChoiceRecord(directory)
  for (const choice of directory.open) {
    const value = values[choice.name]
    if (value !== undefined) {
      record.record(withCommonValue({ choice, chosen: [{ value, scope: 'users' }], evidence: [] }))
    }
  }
  return record
}

const record = recordOf({ unselected: 'absent', unselectedKey: 'absent', topMeaning: 'total' })
const unless = (values: Readonly<Record<string, string>>) => async (choices: Choices) =>
  !Object.entries(values).every(([name, value]) => [value, undefined].includes(String(choices.get(name) ?? value)))

describe('a finding', () => {
  it('is a violation if no choice explains it', async () => {
    const explanation = await explainFinding(async () => true, { site: messages, properties: [] }, record)
    expect(explanation.kind).toBe('violation')
  })

  it('is a violation where the choice was observed', async () => {
    const explanation = await explainFinding(unless({ unselected: 'null' }), { site: users, properties: [] }, record)
    expect(explanation.kind).toBe('violation')
  })

  it('is legal if another choice explains it where none was observed', async () => {
    const place = { site: messages, properties: [] }
    expect(await explainFinding(unless({ unselected: 'null' }), place, record)).toMatchObject({
      kind: 'legal',
      isOnly: true,
      assumptions: [{ choice: { name: 'unselected' }, value: 'null' }],
    })
  })

  it('is legal without an assumption if what was learned meanwhile explains it', async () => {
    const place = { site: messages, properties: [] }
    expect(await explainFinding(unless({ unselected: 'absent' }), place, record)).toEqual({
      kind: 'legal',
      isOnly: true,
      assumptions: [],
      doubtful: [],
    })
  })

  it('is legal if two choices explain it together', async () => {
    const place = { site: messages, properties: [] }
    const both = unless({ unselected: 'null', unselectedKey: 'returned' })
    expect(await explainFinding(both, place, record)).toMatchObject({
      kind: 'legal',
      assumptions: [{ value: 'null' }, { value: 'returned' }],
    })
  })

  it('is unclear if more choices are needed', async () => {
    const place = { site: messages, properties: [] }
    const all = unless({ unselected: 'null', unselectedKey: 'returned', topMeaning: 'pageSize' })
    expect(await explainFinding(all, place, record)).toMatchObject({ kind: 'unclear' })
  })
})

const finding: Finding = { message: 'm', expected: 'e', received: 'r', answers: [], features: [] }

/** @param checks what each look finds: a fault, or none; @param changes whether the data had changed at each reading */
const run = (
  checks: readonly boolean[],
  changes: readonly boolean[],
  sites: () => readonly Site[] = () => [],
  seenBefore = 0,
) => {
  const left = [...checks]
  const changed = [...changes]
  return confirm(
    async () => (left.shift() === true ? finding : undefined),
    async () => changed.shift() ?? false,
    sites,
    seenBefore,
  )
}

describe('a suspected violation', () => {
  it('is confirmed if it occurs twice and nothing changed', async () => {
    expect(await run([true, true], [])).toMatchObject({ kind: 'confirmed', how: 'seen again 2 of 2 times' })
  })

  it('is confirmed if it occurs once more after it was already repeated', async () => {
    const how = 'seen again 2 of 2 times'
    expect(await run([true], [], undefined, 1)).toMatchObject({ kind: 'confirmed', how })
    expect(await run([false], [], undefined, 1)).toEqual({ kind: 'flaky' })
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
