import { createServer, type RequestListener, type Server } from 'node:http'
import { gzipSync } from 'node:zlib'
import { afterEach, describe, expect, it } from 'vitest'
import { type ConformanceOptions, OptionsError, type Report } from './index.js'
import { changed, correct, isList, listRequest, run, type Target, withBody } from './testing/things.js'

describe('a run', () => {
  it('reports nothing for a conforming service', async () => {
    const report = await run(correct())
    expect(report.violations).toEqual([])
    expect(report).toMatchObject({ verdict: 'conforms', target: 'in process', requests: expect.any(Number) })
  })

  it('reports a bug once, reduced, with a curl command that shows no credential', async () => {
    const blind = changed(correct(), async (response, request) =>
      isList(request) && request.url.includes('contains')
        ? withBody(response, body => ({ ...body, value: [] }))
        : response,
    )
    const report = await run(blind, { only: ['filter'] })
    expect(report.verdict).toBe('violations')
    const [violation] = report.violations
    expect(violation?.exchanges[0]?.curl).toMatch(/^curl -i -H "Authorization: Bearer \$TOKEN"/)
    expect(violation?.confirmed).toContain('2 of 2')
    expect(violation?.reduced.to).toBeLessThanOrEqual(4)
    expect(JSON.stringify(report)).not.toContain('mutant-token')
  })

  it('reports a server error once, and nothing else about the response', async () => {
    const failing = changed(correct(), response =>
      response.status === 404 ? Response.json({ error: { code: 'x', message: 'x' } }, { status: 500 }) : response,
    )
    const { violations, rules } = await run(failing, { only: ['errors'] })
    expect(violations.map(({ rule }) => rule)).toEqual(['no-server-error'])
    expect(rules.find(({ rule }) => rule === 'item-not-found')).toMatchObject({ state: 'violated' })
    const alone = await run(failing, { only: ['item-not-found'] })
    expect(alone.violations.map(({ rule }) => rule)).toEqual(['item-not-found'])
  })

  it('finds endless next links, with empty pages or not', async () => {
    const endless = changed(correct(), (response, request, number) =>
      isList(request)
        ? withBody(response, body => ({
            ...(request.url.includes('on=') ? { ...body, value: [] } : body),
            '@odata.nextLink': `${request.url.split('?')[0]}?on=${number}`,
          }))
        : response,
    )
    const { violations } = await run(endless, { requests: 600 })
    const pages = violations.find(({ rule }) => rule === 'paging-covers')
    expect(pages).toMatchObject({ message: expect.stringContaining('form a cycle: the list does not end') })
    expect(pages?.exchanges.every(({ answer }) => answer !== '')).toBe(true)
  })

  it('sends the same requests with the same seed', async () => {
    const recorded = async (seed: number): Promise<readonly string[]> => {
      const target = correct()
      const urls: string[] = []
      const noted: Target = request => {
        urls.push(request.url)
        return target(request)
      }
      await run(noted, { seed, requests: 200 })
      return urls
    }
    expect(await recorded(5)).toEqual(await recorded(5))
    expect(await recorded(5)).not.toEqual(await recorded(6))
  })

  it('respects its budget, and writes only if allowed', async () => {
    const target = correct()
    const methods: string[] = []
    const noted: Target = request => {
      methods.push(request.method)
      return target(request)
    }
    const report = await run(noted, { requests: 90 })
    expect(methods.length).toBeLessThanOrEqual(90)
    expect(report.requests).toBe(methods.length)
    const bodies = methods.filter(method => method === 'PATCH' || method === 'PUT')
    expect(bodies).toEqual([])
  })

  it('deletes everything it created', async () => {
    const target = correct()
    const before = await (await target(listRequest())).json()
    const journal: string[] = []
    const report = await run(target, {
      allowWrites: true,
      requests: 400,
      only: ['writing', 'entity-tags'],
      journal: {
        creating: ({ number, mark }) => {
          journal.push(`creating ${number}`)
          expect(mark).toMatch(/^sw-[0-9a-z]{14}$/)
        },
        created: ({ number }) => void journal.push(`created ${number}`),
        changing: ({ number }) => void journal.push(`changing ${number}`),
        gone: ({ number }) => void journal.push(`gone ${number}`),
      },
    })
    expect(report.leftovers).toEqual([])
    expect(await (await target(listRequest())).json()).toEqual(before)
    expect(journal.filter(text => text.startsWith('creating')).length).toBeGreaterThan(0)
    expect(journal.filter(text => text.startsWith('created')).length).toBeLessThanOrEqual(
      journal.filter(text => text.startsWith('gone')).length,
    )
  })

  it('stops on a signal, with a report', async () => {
    const stop = new AbortController()
    const target = correct()
    let count = 0
    const report = await run(
      request => {
        if (++count === 30) stop.abort()
        return target(request)
      },
      { signal: stop.signal },
    )
    expect(count).toBeLessThanOrEqual(31)
    expect(report.verdict).toBe('interrupted')
    expect(report.summary).toMatch(/^Stopped early/)
  })
})

describe('options', () => {
  it.each<[string, Partial<ConformanceOptions>]>([
    ['an unknown rule', { only: ['no-such-rule'] }],
    ['no rule left', { only: ['filter'], skip: ['filter'] }],
    ['a profile that the spec does not have', { profile: 'none' }],
    ['an invalid replay token', { replay: 'x' }],
    ['an invalid address', { target: 'nonsense' }],
  ])('rejects %s', async (_, options) => {
    await expect(run(correct(), options)).rejects.toThrow(OptionsError)
  })
})

describe('a known failure', () => {
  const wrong = (): Target =>
    changed(correct(), (response, request) =>
      isList(request) && request.url.includes('contains')
        ? withBody(response, body => ({ ...body, value: [] }))
        : response,
    )

  it('is still checked, and accepted', async () => {
    const knownFailures = [{ rule: 'filter-*', reason: 'the index is being rebuilt' }]
    const report = await run(wrong(), { knownFailures, only: ['filter'] })
    expect(report.verdict).toBe('conforms')
    expect(report.knownFailures).toMatchObject([{ state: 'seen' }])
    expect(report.violations.map(({ known }) => known)).toContain('the index is being rebuilt')
  })

  it('is reported when it passes, or names no rule', async () => {
    const fixed = await run(correct(), { knownFailures: [{ rule: 'filter-model', reason: 'was broken' }] })
    expect(fixed).toMatchObject({ verdict: 'stale', knownFailures: [{ state: 'fixed' }] })
    const unknown = await run(correct(), { knownFailures: [{ rule: 'no-such', reason: 'typo' }] })
    expect(unknown).toMatchObject({ verdict: 'stale', knownFailures: [{ state: 'unknown' }] })
  })
})

describe('a target', () => {
  it.each<[string, Target, Report['verdict']]>([
    ['that is unreachable', () => Promise.reject(new TypeError('refused')), 'unreachable'],
    [
      'that accepts no credential',
      async () => Response.json({ error: { code: 'a', message: 'b' } }, { status: 401 }),
      'refused',
    ],
    [
      'that serves a web page',
      async () => new Response('<html></html>', { headers: { 'content-type': 'text/html' } }),
      'unreachable',
    ],
    [
      'that has no paths',
      async () => Response.json({ error: { code: 'a', message: 'b' } }, { status: 404 }),
      'unreachable',
    ],
    ['that is empty', async () => Response.json({ value: [] }), 'violations'],
  ])('%s', async (_, target, verdict) => {
    const report = await run(target, { requests: 60 })
    expect(report.verdict).toBe(verdict)
    expect(report.summary).not.toBe('')
  })

  it('that never responds is unreachable', async () => {
    const report = await run(() => new Promise(() => {}), { requests: 60, timeout: 200 })
    expect(report.verdict).toBe('unreachable')
  })

  const nasty: [string, Target][] = [
    ['responds slowly', changed(correct(), response => new Promise(resolve => setTimeout(() => resolve(response), 2)))],
    [
      'drops every ninth connection',
      changed(correct(), (response, _, number) => (number % 9 === 0 ? Promise.reject(new Error('reset')) : response)),
    ],
    [
      'truncates its JSON',
      changed(correct(), async (response, _, number) =>
        number % 5 === 0 ? new Response((await response.text()).slice(0, -3), response) : response,
      ),
    ],
    [
      'returns errors on later pages',
      changed(correct(), (response, _, number) =>
        number % 7 === 0 ? new Response('<h1>502</h1>', { status: 502 }) : response,
      ),
    ],
    [
      'has endless next links',
      changed(correct(), (response, request, number) =>
        isList(request)
          ? withBody(response, body => ({ ...body, '@odata.nextLink': `${request.url.split('?')[0]}?x=${number}` }))
          : response,
      ),
    ],
    [
      'has next links to another host',
      changed(correct(), (response, request) =>
        isList(request)
          ? withBody(response, body => ({ ...body, '@odata.nextLink': 'http://elsewhere.invalid/' }))
          : response,
      ),
    ],
    [
      'sends malformed rows',
      changed(correct(), (response, request) =>
        isList(request)
          ? withBody(response, body => ({ ...body, value: [null, 1, 'x', [], { id: {} }, { id: null }] }))
          : response,
      ),
    ],
    [
      'sends pages of ten million bytes',
      // Every tenth page: memory and time do not depend on how many there are.
      changed(correct(), (response, request, number) =>
        isList(request) && number % 10 === 0
          ? withBody(response, body => ({ ...body, padding: 'x'.repeat(10_000_000) }))
          : response,
      ),
    ],
    [
      'sends deeply nested JSON',
      changed(correct(), (response, request) =>
        isList(request) ? new Response(`{"value":${'['.repeat(5_000)}${']'.repeat(5_000)}}`, response) : response,
      ),
    ],
    [
      'is busy at times',
      changed(correct(), (response, _, number) =>
        number % 6 === 0 ? new Response('', { status: 429, headers: { 'retry-after': '0' } }) : response,
      ),
    ],
    [
      'has keys such as __proto__',
      changed(correct(), (response, request) =>
        isList(request)
          ? new Response('{"value":[{"__proto__":{"id":"x"},"id":"__proto__","constructor":1}]}', response)
          : response,
      ),
    ],
  ]
  it.each(nasty)('that %s causes no crash and no hang', async (_, target) => {
    const report = await run(target, { requests: 25 })
    expect(report.requests).toBeLessThanOrEqual(25)
    expect(report.summary).not.toBe('')
  })
})

describe('over HTTP', () => {
  let server: Server | undefined
  afterEach(() => {
    server?.closeAllConnections()
    server?.close()
  })

  const listen = (listener: RequestListener): Promise<string> =>
    new Promise(resolve => {
      server = createServer(listener).listen(0, '127.0.0.1', () => {
        const address = server?.address()
        resolve(`http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/v1`)
      })
    })

  it('accepts gzip', async () => {
    const target = correct()
    const url = await listen(async (request, response) => {
      const headers = new Headers({ authorization: request.headers.authorization ?? '' })
      const answer = await target(
        new Request(`http://service.invalid${request.url}`, { method: request.method ?? 'GET', headers }),
      )
      response.writeHead(answer.status, { ...Object.fromEntries(answer.headers), 'content-encoding': 'gzip' })
      response.end(request.method === 'HEAD' ? undefined : gzipSync(await answer.text()))
    })
    expect(await run(url, { only: ['filter'], requests: 90 })).toMatchObject({ violations: [], target: url })
  })

  it('survives connections that break during a response', async () => {
    const url = await listen((_, response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' })
      response.write('{"value":[')
      setTimeout(() => response.destroy(), 5)
    })
    expect(await run(url, { requests: 20 })).toMatchObject({ verdict: 'unreachable' })
  })

  it('reports that nothing responds', async () => {
    const report = await run('http://127.0.0.1:9/v1', { requests: 20 })
    expect(report).toMatchObject({ verdict: 'unreachable' })
    expect(report.summary).toContain('http://127.0.0.1:9/v1/things')
  })
})
