import { describe, expect, it } from 'vitest'
import { renderGithub, renderHtml, renderJunit, renderSarif, renderText, rules } from '../index.js'
import { changed, correct, isList, run, type Target, withBody } from '../testing/things.js'
import { createRedactor, redactError } from './redact.js'

const tenant = 'tenant "seven" & sons'
const cookie = 'c00kie-of-mine'
const secrets = ['mutant-token', tenant, cookie]
const headers = { 'X-Tenant': tenant, Cookie: `session=${cookie}`, rule: 'r0ule-header' }

/** A service with faults whose error pages, headers and data repeat what was sent, in many forms. */
const echoing = (target: Target): Target =>
  changed(target, async (response, request) => {
    const sent = Object.fromEntries(request.headers)
    const echo = { ...sent, url: encodeURIComponent(tenant), basic: Buffer.from('mutant-token').toString('base64') }
    const echoes = { rule: sent['rule'] ?? '', 'x-debug': `Bearer mutant-token ${cookie}` }
    if (response.status === 404) {
      const text = `<pre>${JSON.stringify(echo)} ${'.'.repeat(3_700)} Bearer mutant-token</pre>`.repeat(2)
      return new Response(text, { status: 500, headers: { ...echoes, 'content-type': 'text/html' } })
    }
    if (!isList(request)) return response
    const wrong = request.url.includes('filter')
    const body = await withBody(response, each => ({
      ...each,
      '@debug': echo,
      value: wrong ? [{ id: 'mutant-token', name: tenant, size: sent['cookie'] }] : each['value'],
    }))
    for (const [name, value] of Object.entries(echoes)) body.headers.set(name, value)
    return body
  })

describe('a report', () => {
  it('contains no echoed credential, in any format', async () => {
    const report = await run(echoing(correct()), { headers, requests: 300 })
    expect(report.verdict).toBe('violations')
    expect(report.violations.map(({ rule }) => rule)).toContain('no-server-error')
    const texts = [
      JSON.stringify(report),
      renderText(report),
      await renderHtml(report),
      renderJunit(report),
      renderGithub(report, () => undefined),
      renderSarif(report, rules, () => undefined),
      ...report.violations.map(({ replay }) => Buffer.from(replay ?? '', 'base64url').toString('utf8')),
    ]
    for (const text of texts) {
      expect(text).not.toMatch(/mutant-token|mutant-to|bXV0YW50LXRva2Vu|c00kie|r0ule/)
      expect(text).not.toMatch(/tenant.{0,12}seven/)
    }
    expect(texts[0]).toContain('‹redacted›')
    expect(texts[0]).toContain('$TOKEN')
  })

  it('contains no credential of a transport error', async () => {
    const failing: Target = () => Promise.reject(new Error('no route for mutant-token'))
    const { verdict, summary } = await run(failing)
    expect(verdict).toBe('unreachable')
    expect(summary).toContain('no route for ‹redacted›')
  })

  it('keeps its own words even if a header value is one of them', async () => {
    const target = correct()
    const plain = await run(target, { requests: 100 })
    const same = await run(target, { requests: 100, headers: { 'X-Area': 'filter', 'X-State': 'passed', 'X-No': 'a' } })
    const names = ({ rules }: typeof plain): readonly string[] => rules.map(each => `${each.rule} ${each.state}`)
    expect(names(same)).toEqual(names(plain))
    expect(same.verdict).toBe(plain.verdict)
  })
})

describe('an error that aborts a run', () => {
  it('contains no credential', async () => {
    const onProgress = (): never => {
      throw new Error('somebody saw mutant-token')
    }
    await expect(run(correct(), { onProgress })).rejects.toThrow('somebody saw ‹redacted›')
  })

  it('is the same object if it contains no secret', () => {
    const redact = createRedactor(secrets)
    const plain = new TypeError('no such thing')
    expect(redactError(plain, redact)).toBe(plain)
    const clean = redactError(new TypeError('got mutant-token', { cause: new Error(tenant) }), redact)
    expect(clean).toMatchObject({ name: 'TypeError', message: 'got ‹redacted›', cause: { message: '‹redacted›' } })
    expect(clean instanceof Error ? clean.stack : 'mutant-token').not.toContain('mutant-token')
  })
})
