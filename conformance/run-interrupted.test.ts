import { describe, expect, it } from 'vitest'
import { changed, correct, isList, listRequest, run, type Target, withBody } from './testing/things.js'

const failing = (status: number, headers: Record<string, string> = {}): (() => Promise<Response>) => {
  return async () => Response.json({ error: { code: 'x', message: 'x' } }, { status, headers })
}

/** Answers so many requests as it should, and then in another way. */
const then = (answered: number, otherwise: Target, target = correct()): Target & { readonly sent: () => number } => {
  let count = 0
  const both: Target = request => (++count > answered ? otherwise(request) : target(request))
  return Object.assign(both, { sent: () => count })
}

describe('a service that stops responding', () => {
  it.concurrent.each<[string, Target, string, RegExp]>([
    [
      'breaks every connection',
      () => Promise.reject(Object.assign(new Error('x'), { code: 'ECONNRESET' })),
      'unreachable',
      /stopped responding after request 74: no connection, or a broken one \(ECONNRESET\)\.$/,
    ],
    ['is unavailable', failing(503), 'unreachable', /stopped responding after request 74: status 503/],
    [
      'stays busy',
      failing(429, { 'retry-after': '0' }),
      'unreachable',
      /stopped responding after request 74: status 429/,
    ],
    [
      'hangs',
      () => new Promise(() => {}),
      'unreachable',
      /stopped responding after request 74: no response within 1 s/,
    ],
    ['no longer accepts the credential', failing(401), 'refused', /refused since request 7[5-8]: status 401/],
  ])('because it %s does not conform', async (_, otherwise, verdict, summary) => {
    const target = then(74, otherwise)
    // Long enough for a correct response on a busy machine.
    const report = await run(target, { requests: 1_000, timeout: 1_000, allowWrites: true })
    expect(report).toMatchObject({ verdict, summary: expect.stringMatching(summary) })
    // Several requests are under way, and each is tried again.
    expect(target.sent()).toBeLessThan(200)
  })

  it.concurrent('is noticed even near the end of the run', async () => {
    let isCreated = false
    const target = correct()
    const dying: Target = async request => {
      if (isCreated) return failing(503)()
      isCreated = request.method === 'POST'
      return target(request)
    }
    const report = await run(dying, { requests: 1_000, allowWrites: true, only: ['writing'] })
    expect(report.verdict).toBe('unreachable')
  })

  it.concurrent('keeps the violations found before', async () => {
    const blind = changed(correct(), (response, request) =>
      isList(request) && request.url.includes('filter')
        ? withBody(response, body => ({ ...body, value: [] }))
        : response,
    )
    const report = await run(then(150, failing(503), blind), { requests: 1_000 })
    expect(report.verdict).toBe('violations')
    expect(report.summary).toMatch(
      /^\d+ violations? of \d+ rules?\. The run stopped early: The service stopped responding/,
    )
  })

  it.concurrent('loses the created items as soon as it responds again', async () => {
    const target = correct()
    const before = await (await target(listRequest())).json()
    let isCreated = false
    let isCleaningUp = false
    const dying: Target = async request => {
      if (isCreated && !isCleaningUp) return failing(503)()
      const response = await target(request)
      isCreated ||= response.status === 201
      return response
    }
    const report = await run(dying, {
      ...{ requests: 1_000, allowWrites: true, concurrency: 1, only: ['writing'] },
      onProgress: ({ phase }) => {
        isCleaningUp ||= phase === 'clean up'
      },
    })
    expect(isCreated && isCleaningUp).toBe(true)
    expect(report).toMatchObject({ verdict: 'unreachable', leftovers: [] })
    expect(await (await target(listRequest())).json()).toEqual(before)
  })
})

describe('a service that asks for a delay', () => {
  it('beyond the end of the run gets no further request', async () => {
    const target = then(70, failing(429, { 'retry-after': '3600' }))
    const report = await run(target, { requests: 1_000, concurrency: 1 })
    expect(target.sent()).toBe(71)
    expect(report.verdict).toBe('unreachable')
    expect(report.summary).toMatch(/after request 70: status 429 with a Retry-After of 3600 s/)
  })
})

describe('the time of a run', () => {
  it('limits the wait for a service that never responds', async () => {
    const report = await run(() => new Promise(() => {}), { time: 1, timeout: 60_000 })
    expect(report).toMatchObject({ verdict: 'unreachable', summary: expect.stringContaining('did not respond') })
  })
})
