import { describe, expect, it } from 'vitest'
import { type Choices, createChoiceRecord, withCommonValue } from '../choices/choices.js'
import { siteOf } from '../discover/site.js'
import { specOf } from '../testing/rule-tests.js'
import { explainFinding } from './explain.js'

const service = specOf('directory')
const site = (name: string) => {
  const endpoint = service.endpoints.find(each => each.name === name)
  const found = endpoint === undefined ? undefined : siteOf(endpoint)
  if (found === undefined) throw new Error(`There is no site ${name}.`)
  return found
}
const users = site('users.list')
const messages = site('me.messages.list')

/** What was observed at users. */
function recordOf(values: Readonly<Record<string, string>>) {
  const record = createChoiceRecord(service)
  for (const choice of service.open) {
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
    expect(await explainFinding(all, place, record)).toEqual({ kind: 'unclear' })
  })
})
