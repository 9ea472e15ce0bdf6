import { expect, it } from 'vitest'
import { createReferenceService } from '../reference-service.js'
import { sampleService } from '../testing/sample-service.js'
import { idsOf, openService } from '../testing/test-service.js'

const open = (choices: Readonly<Record<string, string>>) =>
  createReferenceService({
    spec: 'spec/directory.yaml',
    store: 'sqlite::memory:',
    choices,
    authenticate: () => undefined,
  })

it.each([
  [{ nothing: 'x' }, 'no choice open that is named nothing'],
  [{ topMeaning: 'x' }, 'total or pageSize, but found x'],
  [{ nullOrder: 'highest' }, 'always lowest'],
])('the choice %j is refused', async (choices, said) => {
  await expect(open(choices)).rejects.toThrow(said)
})

it('a choice that is open may be made', async () => {
  const reference = await open({ topMeaning: 'total', nullOrder: 'lowest' })
  expect(reference.table.choices['topMeaning']).toBe('total')
  await reference.close()
})

it('an address of no store is refused', async () => {
  await expect(openService(sampleService(), 'mysql://x')).rejects.toThrow("found 'mysql:'")
})

it('a service has no items at first', async () => {
  const { request: ask, reference } = await openService(sampleService(), 'sqlite::memory:')
  expect(await reference.isEmpty()).toBe(true)
  expect(idsOf(await ask('/samples'))).toEqual([])
  await reference.close()
})
