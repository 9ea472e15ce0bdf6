import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { loadSpecText } from '../../../spec/language/index.js'
import { isRow } from '../../json.js'
import type { Session } from '../../session/session.js'
import { openTestSession, verdictsOf } from '../../testing/rule-tests.js'
import { updateExisting } from './existing-item.js'

async function readMe(session: Session): Promise<unknown> {
  const { json } = await session.send({ method: 'GET', path: '/me' })
  if (!isRow(json)) return undefined
  const { '@odata.etag': _, ...values } = json
  return values
}

describe('an existing item', () => {
  it('has its old values again after each check', async () => {
    const bench = await openTestSession('directory', { writes: true })
    const { session } = bench
    const before = await readMe(session)
    const verdicts = await verdictsOf(updateExisting, bench, { cases: 20 })
    expect(verdicts.filter(({ kind }) => kind === 'pass').length).toBeGreaterThan(4)
    expect(bench.answers.some(({ answer }) => answer.request.method === 'PATCH')).toBe(true)
    expect(await readMe(session)).toEqual(before)
  })

  it('has them again after a check that failed', async () => {
    const bench = await openTestSession('directory', { writes: true, mutant: 'singleton-patch-of-two' })
    const { session } = bench
    const before = await readMe(session)
    const verdicts = await verdictsOf(updateExisting, bench, { cases: 20 })
    expect(verdicts.some(({ kind }) => kind === 'fail')).toBe(true)
    expect(await readMe(session)).toEqual(before)
  })

  it('is not changed unless that is allowed', async () => {
    const { session } = await openTestSession('directory', { writes: true, mayChange: false })
    expect(updateExisting.sites(session)).toEqual([])
  })

  it('is not changed if a POST creates such items', async () => {
    const { session } = await openTestSession('directory', { writes: true })
    const templates = updateExisting.sites(session).map(({ endpoint }) => endpoint.path.template)
    expect(templates).toEqual(['/me'])
  })

  it('keeps values that the service shows as null and refuses to select', async () => {
    const bench = await openTestSession('directory', {
      writes: true,
      choices: { unselected: 'null' },
      transform: target => async request => {
        const url = new URL(request.url)
        if (request.method !== 'GET' || !url.pathname.endsWith('/me')) return target(request)
        if (url.searchParams.has('$select'))
          return target(new Request(`${url.origin}${url.pathname}?$nonsense`, request))
        const response = await target(request)
        const { jobTitle: _, ...shown } = Object(await response.json())
        return Response.json({ ...shown, jobTitle: null }, response)
      },
    })
    await verdictsOf(updateExisting, bench, { cases: 20 })
    const bodies = bench.answers.flatMap(({ answer }) =>
      answer.request.method === 'PATCH' ? [JSON.stringify(answer.testRequest.body)] : [],
    )
    expect(bodies.length).toBeGreaterThan(0)
    expect(bodies.filter(body => body.includes('jobTitle'))).toEqual([])
  })

  it('keeps values that only a create sets', async () => {
    const text = readFileSync(new URL('../../../spec/directory.yaml', import.meta.url), 'utf8')
    const changed = text.replace('      officeLocation:\n', '      officeLocation:\n        createOnly: true\n')
    const { service } = loadSpecText(changed, 'directory.yaml')
    if (service === undefined) throw new Error('The changed spec has errors.')
    expect(changed).not.toBe(text)
    const bench = await openTestSession(service, { writes: true })
    await verdictsOf(updateExisting, bench, { cases: 20 })
    const bodies = bench.answers.flatMap(({ answer }) =>
      answer.request.method === 'PATCH' ? [JSON.stringify(answer.testRequest.body)] : [],
    )
    expect(bodies.length).toBeGreaterThan(0)
    expect(bodies.filter(body => body.includes('officeLocation'))).toEqual([])
  })
})
