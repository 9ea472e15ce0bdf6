import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readJournal } from './journal.js'

const head = '{"journal":1,"url":"http://service.invalid/v1","spec":"things.yaml"}'
const creating = '{"creating":{"number":1,"path":"/things","mark":"sw-0123456789abcd"}}'

describe('a journal', () => {
  it.each<[string, readonly string[], readonly object[]]>([
    ['an item whose creation is uncertain', [creating], [{ number: 1, collection: '/things' }]],
    ['a created item', [creating, '{"created":{"number":1,"path":"/things/7"}}'], [{ path: '/things/7' }]],
    ['no item that is gone', [creating, '{"gone":{"number":1}}'], []],
    ['nothing from a line that is cut off', [creating.slice(0, 20)], []],
    ['nothing from a created item without its beginning', ['{"created":{"number":2,"path":"/things/7"}}'], []],
    [
      'nothing from lines of other types',
      ['7', 'null', '[]', '"text"', '{"creating":7}', '{"creating":{"number":"1"}}'],
      [],
    ],
    ['nothing from an entry without a mark', ['{"creating":{"number":1,"path":"/things"}}'], []],
    ['nothing from a line that is too long', [creating.replace('/things', `/${'a'.repeat(100_000)}`)], []],
  ])('names %s', (_, lines, left) => {
    expect(readJournal([head, ...lines].join('\n'))?.left).toMatchObject(left)
  })

  it.each(['', '{}', creating, '{"journal":2}', '{"journal":1,"url":7,"spec":"things.yaml"}'])(
    'begins with its head, not with %s',
    text => {
      expect(readJournal(text)).toBeUndefined()
    },
  )

  it('is read without an error, whatever its lines hold', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(fc.json(), fc.string(), fc.constant(creating))), lines => {
        expect(readJournal([head, ...lines].join('\n'))?.left.length).toBeLessThanOrEqual(1)
      }),
    )
  })
})
