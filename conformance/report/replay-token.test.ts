import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseFilter, parseOrderby } from '../../runtime/query/index.js'
import { createRedactor } from './redact.js'
import { readReplayToken, replayToken } from './replay-token.js'

describe('a replay token', () => {
  it('encodes its case exactly', () => {
    const replay = {
      rule: 'filter-model',
      site: "things.list(a'b/c)",
      test: {
        options: { filter: parseFilter("contains(a,'50% ☕ ''')"), orderby: parseOrderby('a desc'), top: 3 },
        predicates: [parseFilter('a eq null'), parseFilter('xs/any(x:x/b gt 2.50)')],
        key: 'k\u001F1',
        name: 'a/b',
        variant: 'v',
        text: 't',
        numbers: [1, 2.5],
        steps: [
          { action: 'patch', item: 1, body: { a: [null, true, { b: 'c' }] } },
          { action: 'read', select: ['a'] },
        ],
      },
    }
    expect(readReplayToken(replayToken(replay, text => text) ?? '')).toEqual(replay)
  })

  it('is one word', () => {
    expect(replayToken({ rule: 'r', site: 'ü', test: { text: '"\n' } }, text => text)).toMatch(/^[A-Za-z0-9_-]+$/)
  })

  it('does not exist if it would contain a secret', () => {
    const redact = createRedactor(['s3cret-token'])
    const replay = { rule: 'r', site: 's', test: { options: { filter: parseFilter("a eq 's3cret-token'") } } }
    expect(replayToken(replay, redact)).toBeUndefined()
    expect(replayToken({ ...replay, test: { key: 'k' } }, redact)).toMatch(/^[A-Za-z0-9_-]+$/)
  })

  it.each(['', 'nonsense', 'bnVsbA', 'e30', 'eyJydWxlIjoxfQ'])('is not %j', token => {
    expect(readReplayToken(token)).toBeUndefined()
  })

  it('is decoded or rejected, whatever the text', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), text => {
        const read = readReplayToken(Buffer.from(text, 'utf8').toString('base64url'))
        expect(read === undefined || typeof read.rule === 'string').toBe(true)
      }),
    )
  })
})
