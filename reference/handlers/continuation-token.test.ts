import { createHmac } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parseQueryOptions } from '../../runtime/query/index.js'
import { RequestFault } from '../../runtime/server/index.js'
import { noReplacements } from '../../runtime/server/planning/related-scopes.js'
import { sampleService } from '../testing/sample-service.js'
import { idsOf, linkOf, openService, type TestedService } from '../testing/test-service.js'
import { type ContinuedCall, pageStart, pageToken, type TokenSigner, tokenSigner } from './continuation-token.js'
import { queryShape } from './query-shape.js'

const { options } = parseQueryOptions("$filter=name eq 'a'&$top=2")
const call: ContinuedCall = {
  route: { name: 'listSamples' },
  keys: { id: '1' },
  principal: { id: 'ada', scopes: [] },
  template: { options, replacements: noReplacements },
}
const last = ['b', 3] as const

/** A signer that counts its signatures. */
function counting(secret: string): TokenSigner & { readonly signed: () => number } {
  const signer = tokenSigner({ id: '0a5aa21e', secret })
  let signed = 0
  const seal = (content: unknown): string => {
    signed++
    return signer.sign(content)
  }
  return { sign: seal, verify: signer.verify, signed: () => signed }
}

describe('a page token', () => {
  it('is signed once for repeated requests of the same page', () => {
    const signer = counting('once')
    const token = pageToken(last, undefined, call, signer)
    expect(pageToken(last, undefined, call, signer)).toBe(token)
    expect(signer.signed()).toBe(1)
    expect(pageStart(token, call, signer)).toEqual({ after: last, left: undefined })
  })

  it.each<[string, Partial<ContinuedCall>]>([
    ['another caller', { principal: { id: 'bea', scopes: [] } }],
    ['another path', { keys: { id: '2' } }],
    ['another route', { route: { name: 'listOthers' } }],
  ])('is not valid for %s', (_name, other) => {
    const signer = counting('others')
    const token = pageToken(last, undefined, call, signer)
    const others = pageToken(last, undefined, { ...call, ...other }, signer)
    expect(others).not.toBe(token)
    expect(pageToken(last, undefined, call, signer)).toBe(token)
    expect(() => pageStart(others, call, signer)).toThrow(RequestFault)
  })

  it.each([
    ['behind another item', ['b', 4], undefined],
    ['with fewer items left', last, 7],
  ])('is different %s', (_name, behind, left) => {
    const signer = counting('places')
    const token = pageToken(last, undefined, call, signer)
    const other = pageToken(behind, left, call, signer)
    expect(other).not.toBe(token)
    expect(pageStart(other, call, signer)).toEqual({ after: behind, left })
  })

  it('is not valid for another store', () => {
    const token = pageToken(last, undefined, call, counting('one'))
    expect(pageToken(last, undefined, call, counting('another'))).not.toBe(token)
  })

  it('keeps infinity', () => {
    const signer = counting('infinite')
    const token = pageToken([Number.POSITIVE_INFINITY, null], undefined, call, signer)
    expect(pageStart(token, call, signer).after).toEqual([Number.POSITIVE_INFINITY, null])
  })
})

describe('a token whose content is signed, but no page start', () => {
  it.each([
    ['text that is not JSON', '{'],
    ['nothing', ''],
    ['a list', '[]'],
    ['a sort key that is a list', '{"after":[[1]]}'],
    ['a sort key that is an object', '{"after":[{"number":{}}]}'],
  ])('is malformed, which is the fault of the caller: %s', (_name, json) => {
    const text = `0a5aa21e.${Buffer.from(json).toString('base64url')}`
    const signature = createHmac('sha256', 'known').update(text).digest().subarray(0, 16).toString('base64url')
    expect(() => pageStart(`${text}.${signature}`, call, tokenSigner({ id: '0a5aa21e', secret: 'known' }))).toThrow(
      RequestFault,
    )
  })
})

const signer = tokenSigner({ id: '0123abcd-0000-4000-8000-000000000000', secret: 'secret' })
const content = { after: ['ä', null, 1.5, true] }

describe('a signed token', () => {
  it('returns its content when verified', () => {
    expect(signer.verify(signer.sign(content))).toEqual({ content })
  })

  it('is rejected after any change', () => {
    const token = signer.sign(content)
    for (let index = 9; index < token.length; index++) {
      const changed = `${token.slice(0, index)}${token[index] === 'A' ? 'B' : 'A'}${token.slice(index + 1)}`
      const opened = signer.verify(changed)
      // The last base64 digit has unused bits.
      if (index < token.length - 1 && token[index] !== '.') expect(opened).toBe('malformed')
    }
  })

  it('can be verified repeatedly, in a process that did not sign it', () => {
    const other = tokenSigner({ id: '0123abcd-0000-4000-8000-000000000000', secret: 'secret' })
    const token = signer.sign(content)
    expect([other.verify(token), other.verify(token)]).toEqual([{ content }, { content }])
  })

  it('returns a fresh copy of its content', () => {
    const list = ['a']
    const token = signer.sign({ list })
    list.push('b')
    expect(signer.verify(token)).toEqual({ content: { list: ['a'] } })
  })

  it('can be verified after many others were signed', () => {
    const token = signer.sign(content)
    for (let number = 0; number < 2000; number++) signer.sign({ number })
    expect(signer.verify(token)).toEqual({ content })
  })

  it('of another store, or with another secret, is rejected', () => {
    const other = tokenSigner({ id: 'ffff0000-0000-4000-8000-000000000000', secret: 'secret' })
    expect(signer.verify(other.sign(content))).toBe('foreign')
    const forged = tokenSigner({ id: '0123abcd-0000-4000-8000-000000000000', secret: 'guess' })
    expect(signer.verify(forged.sign(content))).toBe('malformed')
  })

  it.each(['', '.', '..', 'x', 'a.b.c', '0123abcd', '0123abcd.', '0123abcd..', '0123abcd.e30.', '0123abcd.e30.x.y'])(
    'is not %j',
    text => {
      expect(signer.verify(text)).toBe('malformed')
    },
  )
})

const shapeOf = (query: string) => queryShape(parseQueryOptions(query).options)
const guid = (last: string): string => `0fffffff-0000-4000-8000-00000000000${last}`

describe('the shape of a query', () => {
  it.each([
    ['$filter=moment ge 2024-01-01T00:00:00Z', '$filter=moment ge 2025-06-01T12:00:00Z'],
    ['$filter=day eq 2024-01-01&$top=5', '$filter=day eq 2024-01-02&$skip=3'],
    [`$filter=code in (${guid('1')},${guid('2')})`, `$filter=code in (${guid('3')},${guid('4')})`],
    ['$expand=next($filter=clock lt 12:00)', '$expand=next($filter=clock lt 13:00)'],
  ])('is the same for %s and %s', (one, other) => {
    expect(shapeOf(one).key).toBe(shapeOf(other).key)
    expect(shapeOf(one).literals).not.toEqual(shapeOf(other).literals)
  })

  it.each([
    ['$filter=moment ge 2024-01-01T00:00:00Z', '$filter=moment gt 2024-01-01T00:00:00Z'],
    ['$filter=moment ge 2024-01-01T00:00:00Z', '$filter=day ge 2024-01-01'],
    ["$filter=name eq 'a'", "$filter=name eq 'b'"],
    ['$filter=count eq 1', '$filter=count eq 2'],
    ['$filter=moment eq null', '$filter=moment eq 2024-01-01T00:00:00Z'],
    [`$filter=code in (${guid('1')})`, `$filter=code in (${guid('1')},${guid('2')})`],
  ])('differs between %s and %s', (one, other) => {
    expect(shapeOf(one).key).not.toBe(shapeOf(other).key)
  })
})

describe('queries with the same shape', () => {
  let service: TestedService
  beforeAll(async () => {
    const days = ['2024-01-01', '2024-01-02', '2024-01-03']
    const records = days.map((day, index) => ({
      type: 'sample',
      properties: {
        id: String(index),
        name: 'x',
        day,
        moment: `${day}T12:00:00Z`,
        clock: `1${index}:00`,
        code: guid(String(index)),
        tags: [],
        numbers: [],
        parts: [],
      },
    }))
    service = await openService(sampleService(), 'sqlite::memory:', records)
  })
  afterAll(() => service.reference.close())

  it.each([
    ['moment ge 2024-01-02T00:00:00Z', ['1', '2']],
    ['moment ge 2024-01-03T13:00:00+01:00', ['2']],
    ['moment ge 2024-01-03T12:00:01Z', []],
    ['day eq 2024-01-01', ['0']],
    ['day eq 2024-01-03', ['2']],
    ['clock lt 11:00', ['0']],
    ['clock lt 12:00', ['0', '1']],
    [`code in (${guid('0')},${guid('2')})`, ['0', '2']],
    [`code in (${guid('1')},${guid('7').toUpperCase()})`, ['1']],
    ['day eq @d&@d=2024-01-02', ['1']],
    ['day eq @d&@d=2024-01-03', ['2']],
    ['moment gt 2024-01-01T12:00:00Z and moment lt 2024-01-03T12:00:00Z', ['1']],
    ['moment gt 2023-01-01T12:00:00Z and moment lt 2024-01-02T12:00:00Z', ['0']],
  ])('are answered with their own values: %s', async (filter, ids) => {
    expect(idsOf(await service.request(`/samples?$filter=${filter.replaceAll('+', '%2B')}`))).toEqual(ids)
  })

  it('do not share next links', async () => {
    const first = await service.request('/samples?$filter=day ge 2024-01-01&$top=1')
    const [, token] = linkOf(first, 'nextLink')?.split('$skiptoken=') ?? []
    expect(token).toBeDefined()
    const other = await service.request(`/samples?$filter=day ge 2024-01-02&$top=1&$skiptoken=${token}`)
    expect(other.status).toBe(400)
  })
})
