import { expect, it } from 'vitest'
import { nextLinkOptions } from './query-plan.js'

it.each([
  ['', ''],
  ["$filter=a eq '%26'&$top=5&custom=x", "$filter=a eq '%26'&$top=5&custom=x"],
  ['$skip=1&$top=5', '$top=5'],
  ['%24SKIP=1&%24top=5', '%24top=5'],
  ['skiptoken=x&&$deltatoken=y&SkipToken&a=$skip', 'a=$skip'],
  ['$%73kip=1&b', 'b'],
  ['skipper=1', 'skipper=1'],
])('the next link of %s repeats %s', (query, expected) => {
  expect(nextLinkOptions(query)).toBe(expected)
})
