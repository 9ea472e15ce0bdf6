import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { loadSpecText } from '../../spec/language/index.js'
import { engineNames, type StoreMaker, storeMaker } from '../testing/engines.js'
import { openService, type TestedService } from '../testing/test-service.js'

const spec = `
specwright: 1
service: { name: sums, namespace: sums, version: v1 }
authentication: { scheme: none }
resources:
  sum:
    kind: entityType
    key: [id]
    entityTag: weak
    properties:
      id: { type: Int64 }
      exact: { type: Decimal, nullable: true, precision: 60, scale: 30 }
      amount: { type: amount, nullable: true }
      big: { type: Int64, nullable: true }
      near: { type: Double, nullable: true }
      small: { type: Int32, nullable: true }
      part: { type: part, nullable: true }
      exacts: { type: Decimal, collection: true, scale: variable }
      bigs: { type: Int64, collection: true }
  price: { kind: entityType, key: [value], properties: { value: { type: Decimal, scale: variable } } }
  amount: { kind: typeDefinition, type: Decimal, scale: variable }
  part:
    kind: complexType
    properties:
      exact: { type: Decimal, nullable: true, scale: variable }
      big: { type: Int64, nullable: true }
      exacts: { type: Decimal, collection: true, scale: variable }
container: { sums: { entitySet: sum }, prices: { entitySet: price } }
queryOptions:
  all:
    select: true
    orderby: true
    count: true
    top: { max: 100, above: clamp }
    filter: { operators: [eq, ne, gt, lt, and, in, add, mul], lambdas: [any], functions: [round, cast] }
paths:
  /sums: { get: { returns: collection, query: all }, post: { creates: sum } }
  /sums/{id}: { get: { returns: item, query: all }, patch: { updates: item }, delete: { deletes: item } }
  /prices: { get: { returns: collection, query: all }, post: { creates: price } }
  /prices/{value}: { get: { returns: item } }
errors: {}
`

const { service: model } = loadSpecText(spec, 'sums.yaml')
if (model === undefined) throw new Error('The spec has errors.')

/** Decimal digits without superfluous zeros. */
const digits = (whole: number, fraction: number) =>
  fc
    .tuple(
      fc.boolean(),
      fc.bigInt({ min: 0n, max: 10n ** BigInt(whole) - 1n }),
      fc.stringMatching(new RegExp(`^[0-9]{0,${fraction}}$`)),
    )
    .map(([isNegative, integer, rest]) => {
      const end = rest.replace(/0+$/, '')
      const text = end === '' ? String(integer) : `${integer}.${end}`
      return isNegative && text !== '0' ? `-${text}` : text
    })

const int64 = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map(String)

const member = (name: string, text: string): string => `"${name}":${text}`

describe.each(engineNames)('numbers on %s', engine => {
  let maker: StoreMaker
  let service: TestedService
  let count = 0n

  beforeAll(async () => {
    maker = await storeMaker(engine)
    service = await openService(model, await maker.make())
  })
  afterAll(async () => {
    await service.reference.close()
    await maker.stop()
  })

  const send = async (path: string, init: RequestInit = {}) => {
    const headers = { 'content-type': 'application/json', ...Object(init.headers) }
    const response = await service.reference.fetch(new Request(`http://service.test/v1${path}`, { ...init, headers }))
    return { status: response.status, headers: response.headers, text: await response.text() }
  }
  const asStrings = { headers: { accept: 'application/json;IEEE754Compatible=true' } }

  it('are exact in requests, the store, filters and responses', async () => {
    const values = fc.record({
      exact: digits(30, 30),
      amount: digits(38, 18),
      big: int64,
      near: fc.double({ noNaN: true, noDefaultInfinity: true }).map(value => String(value + 0)),
      small: fc.integer().map(String),
      inner: digits(25, 10),
      innerBig: int64,
      items: fc.array(digits(25, 10), { maxLength: 3 }),
      bigs: fc.array(int64, { maxLength: 3 }),
    })
    await fc.assert(
      fc.asyncProperty(values, fc.boolean(), async (given, isQuoted) => {
        const id = String(2n ** 60n + count++)
        const exactly = (text: string): string => (isQuoted ? `"${text}"` : text)
        const write = (print: (text: string) => string): string =>
          [
            member('exact', print(given.exact)),
            member('amount', print(given.amount)),
            member('big', print(given.big)),
            member('near', given.near),
            member('small', given.small),
            `"part":{${member('exact', print(given.inner))},${member('big', print(given.innerBig))},${member('exacts', `[${given.items.map(print).join()}]`)}}`,
            member('exacts', `[${given.items.map(print).join()}]`),
            member('bigs', `[${given.bigs.map(print).join()}]`),
          ].join()
        const body = `{${member('id', exactly(id))},${write(exactly)}}`
        const created = await send('/sums', { method: 'POST', body })
        expect(created.status, `${body} ${created.text}`).toBe(201)
        const numbers = `${member('id', id)},${write(text => text)}}`
        const strings = `${member('id', `"${id}"`)},${write(text => `"${text}"`)}}`
        expect(normal(created.text)).toContain(normal(numbers))
        expect(created.headers.get('location')).toBe(`http://service.test/v1/sums/${id}`)
        expect(normal((await send(`/sums/${id}`)).text)).toContain(normal(numbers))
        const quoted = await send(`/sums/${id}`, asStrings)
        expect(quoted.headers.get('content-type')).toContain('IEEE754Compatible=true')
        expect(normal(quoted.text)).toContain(normal(strings))
        for (const filter of [
          `exact eq ${given.exact}`,
          `amount eq ${given.amount}`,
          `big eq ${given.big}`,
          `amount in (1,${given.amount})`,
          `part/exact eq ${given.inner}`,
          `part/big eq ${given.innerBig}`,
          `exact add 0.5 gt ${given.exact}`,
          `amount gt ${given.amount.startsWith('-') ? `${given.amount.includes('.') ? given.amount : `${given.amount}.0`}1` : '-1'}`,
          ...given.items.map(item => `exacts/any(e:e eq ${item})`),
          ...given.bigs.map(item => `bigs/any(e:e eq ${item})`),
        ]) {
          const query = `$filter=${encodeURIComponent(`id eq ${id} and ${filter}`)}&$count=true`
          const found = await send(`/sums?${query}`)
          expect(normal(found.text), filter).toContain(normal(`"@odata.count":1`))
          expect(normal(found.text)).toContain(normal(numbers))
          const listed = await send(`/sums?${query}`, asStrings)
          expect(normal(listed.text)).toContain(normal(strings))
          expect(listed.text).toContain('"@odata.count":"1"')
          const plain = await send(`/sums?${query}`, { headers: { accept: 'application/json;odata.metadata=none' } })
          expect(normal(plain.text)).toContain(normal(numbers))
        }
        expect((await send(`/sums/${id}`, { method: 'PATCH', body: '{"part":{"big":1}}' })).text).toContain(
          normal(given.inner),
        )
        expect((await send(`/sums/${id}`, { method: 'DELETE' })).status).toBe(204)
      }),
      { numRuns: 25 },
    )
  })

  it('are ordered and paged by all their digits, as properties and as keys', async () => {
    const texts = [
      '-12345678901234567890.2',
      '-12345678901234567890.12',
      '-12345678901234567890.1',
      '-1',
      '0',
      '0.00000000000000000001',
      '0.1',
      '0.10000000000000000001',
      '9007199254740992',
      '9007199254740993',
      '12345678901234567890.123456789012345678',
    ]
    for (const [index, text] of [...texts].reverse().entries()) {
      expect((await send('/sums', { method: 'POST', body: `{"id":${index},"amount":${text}}` })).status).toBe(201)
      expect((await send('/prices', { method: 'POST', body: `{"value":${text}}` })).status).toBe(201)
    }
    for (const [first, name] of [
      ['/sums?$select=amount&$orderby=amount', 'amount'],
      ['/prices', 'value'],
    ] as const) {
      const found: string[] = []
      for (let path: string | undefined = first; path !== undefined; ) {
        const headers = { ...asStrings.headers, prefer: 'maxpagesize=2' }
        const page: Record<string, unknown> = JSON.parse((await send(path, { headers })).text)
        const { value } = page
        if (Array.isArray(value)) found.push(...value.map((row: Record<string, string>) => row[name] ?? ''))
        const next = page['@odata.nextLink']
        path = typeof next === 'string' ? next.replace('http://service.test/v1', '') : undefined
      }
      expect(found).toEqual(texts)
    }
    const text = '12345678901234567890.123456789012345678'
    expect((await send(`/prices/${text}`)).text).toContain(`"value":${text}`)
    expect((await send('/prices', { method: 'POST', body: `{"value":${text}}` })).status).toBe(409)
  })

  it.each([
    ['{"id":9223372036854775808}', 'id'],
    ['{"id":1.5}', 'id'],
    ['{"id":-1,"exact":1e60}', 'exact'],
    ['{"id":-1,"exact":"0.0000000000000000000000000000001"}', 'exact'],
    ['{"id":-1,"exact":"x"}', 'exact'],
  ])('%s is refused because of %s', async (body, target) => {
    const { status, text } = await send('/sums', { method: 'POST', body })
    expect([status, JSON.parse(text).error.target]).toEqual([400, target])
  })
})

/** Doubles and small decimals can be written in different ways. */
function normal(json: string): string {
  return json.replaceAll(/-?[0-9][0-9.]*e[+-]?[0-9]+/g, text => String(Number(text)))
}
