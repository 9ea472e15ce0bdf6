import { expect, it } from 'vitest'
import { changed, correct, run, type Target } from '../testing/things.js'

/** Shows each name as something else. */
const naming = (value: string): Target =>
  changed(correct(), async response => {
    if (response.status !== 200) return response
    const text = await response.text()
    return new Response(text.replaceAll(/"name":(?:null|"(?:[^"\\]|\\.)*")/g, `"name":${value}`), response)
  })

it.each([
  ['an object whose members hide functions', '{"toString":1,"valueOf":1}'],
  ['a list of such objects', '[{"toString":1,"valueOf":1}]'],
  ['a number beyond all numbers', '1e400'],
  ['many levels', `${'{"name":'.repeat(900)}1${'}'.repeat(900)}`],
])('a service that shows a text as %s is accused, and ends no run', async (_, value) => {
  const { violations } = await run(naming(value), { requests: 60 })
  expect(violations.length).toBeGreaterThan(0)
})

it('a service whose answers have more levels than can be looked at is told as none, and ends no run', async () => {
  const { verdict } = await run(naming(`${'['.repeat(100_000)}${']'.repeat(100_000)}`))
  expect(verdict).toBe('unreachable')
})
