import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { printFilter } from '../../runtime/query/index.js'
import { expressionArbitrary } from '../../runtime/query/testing/expression-arbitrary.js'
import { enginesWithRuns, type StoreMaker, storeMaker } from '../testing/engines.js'
import { filterArbitrary } from '../testing/query-arbitraries.js'
import { sampleRecords, sampleRows } from '../testing/sample-rows.js'
import { sampleService } from '../testing/sample-service.js'
import { memberOf, openService, type TestedService } from '../testing/test-service.js'

const rows = sampleRows(10)

/** Texts that act as SQL, JSON paths or patterns if they are not bound. */
const fragments = fc.constantFrom(
  "'; DROP TABLE sample; --",
  '" OR 1=1 --',
  '\') UNION SELECT value FROM "_specwright" --',
  '$1 ? :x @y $$ {}',
  '%_[a-z]*\\',
  '$."a"[0]',
  '{"a":null}',
  '\u2028\u200f\ufeff',
  '😀\u{10ffff}',
  'constructor',
  '__proto__',
)
const hostile = fc.oneof(fragments, fc.string({ unit: 'grapheme', maxLength: 30 }))

describe.each(enginesWithRuns(400, 150))('hostile requests on $engine', ({ engine, runs }) => {
  let maker: StoreMaker
  let service: TestedService

  beforeAll(async () => {
    maker = await storeMaker(engine)
    service = await openService(sampleService(), await maker.make(), sampleRecords(rows))
  })
  afterAll(async () => {
    await service.reference.close()
    await maker.stop()
  })

  /** Sends a request and checks that the status is declared. `request` throws unexpected errors. */
  const request = async (path: string): Promise<number> => {
    const { status, text } = await service.request(path)
    expect([200, 400, 404, 414, 501], text).toContain(status)
    expect(text).not.toMatch(/select "|sqlite_|pg_catalog|\$owner|at file:|node_modules/)
    return status
  }

  it('with any filter get an answer or a declared error', async () => {
    const filters = fc.oneof(filterArbitrary(5), expressionArbitrary(4))
    await fc.assert(
      fc.asyncProperty(filters, async filter => {
        let text: string
        try {
          text = printFilter(filter)
        } catch {
          return
        }
        await request(`/samples?$filter=${encodeURIComponent(text)}`)
      }),
      { numRuns: runs },
    )
  })

  it('with any text in any place return only what they should', async () => {
    await fc.assert(
      fc.asyncProperty(hostile, async text => {
        const quoted = encodeURIComponent(`'${text.replaceAll("'", "''")}'`)
        const filters = [
          'name eq T',
          'contains(note,T)',
          'startswith(name,T)',
          'T in tags',
          'part/label eq T',
          'tolower(name) eq tolower(T)',
        ]
        for (const filter of filters)
          await request(`/samples?$filter=${encodeURIComponent(filter).replace('T', quoted)}`)
        await request(`/samples?$filter=${encodeURIComponent('parts/any(p:p/label eq T)').replace('T', quoted)}`)
        await request(`/samples?$search=${encodeURIComponent(`"${text}"`)}`)
        await request(`/samples?$skiptoken=${encodeURIComponent(text)}`)
        await request(`/samples/delta?$deltatoken=${encodeURIComponent(text)}`)
        await request(`/samples/${encodeURIComponent(text)}`)
        await request(`/samples(${quoted})/friends`)
        await request(`/samples?$orderby=${encodeURIComponent(text)}`)
      }),
      { numRuns: Math.round(runs / 10) },
    )
    expect((await service.request('/samples/$count')).text).toBe(String(rows.length))
  })

  it('store every text unchanged', async () => {
    await fc.assert(
      fc.asyncProperty(hostile, async text => {
        const body = {
          id: 'kept',
          name: text,
          note: text,
          tags: [text, text],
          part: { label: text, inner: { label: text } },
        }
        const created = await service.request('/samples', { method: 'POST', body })
        await service.request('/samples/kept', { method: 'DELETE' })
        if (text.includes('\0')) return expect(created.status).toBe(400)
        expect(created.status, created.text).toBe(201)
        expect(memberOf(created.json, 'name')).toBe(text)
        expect(memberOf(created.json, 'tags')).toEqual([text, text])
        expect(memberOf(memberOf(memberOf(created.json, 'part'), 'inner'), 'label')).toBe(text)
      }),
      { numRuns: Math.round(runs / 4) },
    )
  })

  it.each([
    '$filter=count add 99999999999999999999999999999999999999 gt 0',
    '$filter=count mul 1e308 mul 1e308 gt 0',
    '$filter=score mul 1e308 mul 1e308 gt 0',
    '$filter=price div 1e-300 gt 0',
    "$filter=moment add duration'P99999999D' gt 2020-01-01T00:00:00Z",
    "$filter=day sub duration'P99999999D' lt 2020-01-01",
    '$filter=substring(name,99999999999) eq null',
    '$filter=substring(name,-99999999999,2147483648) eq null',
    '$filter=big add 9223372036854775807 eq 0',
    '$filter=negate(count) eq 0',
    '$filter=-9223372036854775808 lt big',
    '$filter=day eq 9999-12-31 or day gt 0000-01-01 or day lt 12024-01-01',
    '$filter=moment lt -0044-03-15T00:00:00Z',
    `$filter=id in (${Array.from({ length: 800 }, (_, index) => `'${index}'`).join(',')})`,
    `$filter=${Array.from({ length: 300 }, (_, index) => `contains(name,'${index}')`).join(' or ')}`,
    `$filter=${'parts/any(p:'.repeat(1)}${'p/words/any(w:'.repeat(1)}w eq 'x'))`,
    `$filter=${'('.repeat(90)}flag${')'.repeat(90)}`,
    `$orderby=${['name', 'note', 'flag', 'count', 'big', 'price', 'score', 'code', 'day', 'moment', 'clock', 'span'].join(',')}`,
    '$expand=friends($expand=friends),next($expand=next,friends)',
    '$top=99999999999999999999',
    '$skip=9007199254740991',
    '$skip=99999999999999999999',
  ])('for %s get an answer or a declared error', async query => {
    await request(`/samples?${encodeURI(query)}`)
  })
})
