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
  [{ nothing: 'x' }, 'no open choice named nothing'],
  [{ topMeaning: 'x' }, 'total or pageSize, but found x'],
  [{ nullOrder: 'highest' }, 'supports only lowest'],
])('the invalid choice %j is rejected', async (choices, message) => {
  await expect(open(choices)).rejects.toThrow(message)
})

it('an open choice can be set', async () => {
  const reference = await open({ topMeaning: 'total', nullOrder: 'lowest' })
  expect(reference.table.choices['topMeaning']).toBe('total')
  await reference.close()
})

it('an unknown kind of store address is rejected', async () => {
  await expect(openService(sampleService(), 'mysql://x')).rejects.toThrow("found 'mysql:'")
})

it('a new service has no items', async () => {
  const { request, reference } = await openService(sampleService(), 'sqlite::memory:')
  expect(await reference.isEmpty()).toBe(true)
  expect(idsOf(await request('/samples'))).toEqual([])
  await reference.close()
})
