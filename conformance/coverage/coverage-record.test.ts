import { describe, expect, it } from 'vitest'
import { loadSpec } from '../../spec/language/index.js'
import { createEndpointFinder, siteOf } from '../discover/site.js'
import type { TestResponse } from '../http/message.js'
import { shelf } from '../testing/services.js'
import { createCoverageRecord } from './coverage-record.js'

const root = 'http://shelf.test/api/v1'

const received = (method: TestResponse['testRequest']['method'], path: string, status = 200): TestResponse => ({
  testRequest: { method, path },
  request: { method, url: `${root}${path}`, headers: {} },
  status,
  headers: {},
  text: '',
  number: 1,
  milliseconds: 1,
})

const endpoint = (name: string) => {
  const found = shelf.endpoints.find(each => each.name === name)
  const site = found && siteOf(found)
  if (found === undefined) throw new Error(`no ${name}`)
  return { endpoint: found, site }
}

describe('the coverage record', () => {
  it('attributes a check to the aspects of its rule, at the endpoint of its site', () => {
    const record = createCoverageRecord(shelf, root)
    const { endpoint: list, site } = endpoint('things.list')
    if (site === undefined) throw new Error('no site')
    record.recordCheck({ aspects: ['filter.logical', 'search.terms'] }, site, { kind: 'checked' }, [])
    expect(record.at({ endpoint: list, aspect: 'filter' })).toMatchObject({ checked: 1, refused: 0 })
    // The spec declares no search here.
    expect(record.at({ endpoint: list, aspect: 'search' })).toBeUndefined()
    expect(record.answerOf(list)).toBe('no')
  })

  it('attributes the requests of a check to other endpoints by what those are for', () => {
    const record = createCoverageRecord(shelf, root)
    const { site } = endpoint('things.create')
    const { endpoint: update } = endpoint('things.update')
    const { endpoint: item } = endpoint('things.get')
    if (site === undefined) throw new Error('no site')
    const exercised = [received('PATCH', '/things/7'), received('GET', '/things/7')].flatMap(record.cellsOf)
    record.recordCheck({ aspects: ['update.merge'] }, site, { kind: 'checked' }, exercised)
    expect(record.answerOf(update)).toBe('yes')
    expect(record.answerOf(item)).toBe('no')
  })

  it('attributes what a passive rule inspected to the endpoint that responded', () => {
    const record = createCoverageRecord(shelf, root)
    const { endpoint: item } = endpoint('things.get')
    record.recordExchange(received('GET', '/things/7'))
    record.recordInspection({ aspects: ['property.values'] }, received('GET', '/things/7'))
    record.recordInspection({ aspects: ['property.values'] }, received('GET', '/elsewhere'))
    expect(record.at({ endpoint: item, aspect: 'read' })).toMatchObject({ checked: 1 })
    expect(record.answerOf(item)).toBe('yes')
  })

  it.each([
    [404, undefined, false],
    [200, 'none', false],
    [200, undefined, true],
    [304, undefined, true],
  ] as const)('takes a read with status %i and credential %s for a success: %s', (status, credential, isSuccess) => {
    const record = createCoverageRecord(shelf, root)
    const { endpoint: item } = endpoint('things.get')
    const response = received('GET', '/things/7', status)
    record.recordExchange({ ...response, testRequest: { ...response.testRequest, ...(credential && { credential }) } })
    record.recordInspection({ aspects: ['property.values'] }, response)
    expect(record.at({ endpoint: item, aspect: 'read' })).toMatchObject({ checked: isSuccess ? 1 : 0 })
    expect(record.answerOf(item)).toBe(isSuccess ? 'yes' : 'by-error')
  })

  it('keeps the reason of an inconclusive check', () => {
    const record = createCoverageRecord(shelf, root)
    const { endpoint: list, site } = endpoint('things.list')
    if (site === undefined) throw new Error('no site')
    record.recordCheck({ aspects: ['orderby.keys'] }, site, { kind: 'inconclusive', why: 'too few rows' }, [])
    expect(record.at({ endpoint: list, aspect: 'order' })).toMatchObject({ inconclusive: 1, why: 'too few rows' })
  })

  it('counts a refusal as an answer', () => {
    const record = createCoverageRecord(shelf, root)
    const { endpoint: list, site } = endpoint('things.list')
    if (site === undefined) throw new Error('no site')
    record.recordCheck({ aspects: ['collection.read'] }, site, { kind: 'refused' }, [])
    expect(record.answerOf(list)).toBe('yes')
  })
})

describe('the endpoint of a request', async () => {
  const { service } = await loadSpec('spec/directory.yaml')
  if (service === undefined) throw new Error('spec/directory.yaml has errors')
  const find = createEndpointFinder(service)

  it.each([
    ['GET', '/users', 'users.list'],
    ['HEAD', '/users', 'users.list'],
    ['GET', '/users/$count', 'users.count'],
    ['GET', '/users/mira', 'users.get'],
    ['GET', '/me/manager', 'me.manager.get'],
    ['DELETE', '/me/messages/7', 'me.messages.delete'],
    ['DELETE', '/me', undefined],
    ['GET', '/nothing', undefined],
    ['GET', '', undefined],
  ])('%s %s is %s', (method, path, name) => {
    expect(find(method, path)?.name).toBe(name)
  })

  it('is each endpoint of the spec for its own template', () => {
    for (const endpoint of service.endpoints) {
      const path = endpoint.path.template.replaceAll(/\{[^}]*\}/g, 'x')
      expect(find(endpoint.method, path)?.name).toBe(endpoint.name)
    }
  })
})
