import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { loadSpec } from '../../spec/language/index.js'
import { createReferenceService, type ReferenceService } from '../reference-service.js'
import { engineNames, type StoreMaker, storeMaker } from '../testing/engines.js'

const root = 'http://service.test/v1'
const book = (isbn: string, title = 'A tale'): object => ({ isbn, title })
const isbns = ['9780000000001', '9780000000002', '9780000000003'] as const

interface Answer {
  readonly status: number
  readonly text: string
  readonly applied: string | null
}

describe.each(engineNames)('a batch on %s', engine => {
  let maker: StoreMaker
  let service: ReferenceService

  beforeAll(async () => {
    maker = await storeMaker(engine)
    const address = await maker.make()
    const { service: library } = await loadSpec('spec/library.yaml')
    if (library === undefined) throw new Error('The Library has errors.')
    service = await createReferenceService({ spec: library, store: address })
  })
  afterAll(async () => {
    await service.close()
    await maker.stop()
  })

  const send = async (path: string, init?: RequestInit): Promise<Answer> => {
    const response = await service.fetch(new Request(root + path, init))
    const applied = response.headers.get('preference-applied')
    return { status: response.status, text: await response.text(), applied }
  }
  const titles = async (): Promise<readonly string[]> => {
    const { text } = await send('/books?$select=title&$orderby=title')
    return JSON.parse(text).value.map(({ title }: { title: string }) => title)
  }
  const json = async (requests: readonly object[]): Promise<readonly { id: string; status: number }[]> => {
    const headers = { 'content-type': 'application/json' }
    const { text } = await send('/$batch', { method: 'POST', headers, body: JSON.stringify({ requests }) })
    return JSON.parse(text).responses
  }
  const multipart = (lines: readonly string[], headers: Readonly<Record<string, string>> = {}) =>
    send('/$batch', {
      method: 'POST',
      headers: { 'content-type': 'multipart/mixed;boundary=b', ...headers },
      body: lines.join('\r\n'),
    })
  const http = (request: string, body?: object, id?: string): readonly string[] => [
    'Content-Type: application/http',
    'Content-Transfer-Encoding: binary',
    ...(id === undefined ? [] : [`Content-ID: ${id}`]),
    '',
    `${request} HTTP/1.1`,
    ...(body === undefined ? ['', ''] : ['Content-Type: application/json', '', JSON.stringify(body)]),
  ]
  const clear = async (): Promise<void> => {
    for (const isbn of isbns) await send(`/books/${isbn}`, { method: 'DELETE', headers: { 'if-match': '*' } })
  }

  it('stores all requests of an atomicity group, which can refer to each other', async () => {
    const answers = await json([
      { id: '1', atomicityGroup: 'g', method: 'POST', url: '/books', body: book(isbns[0], 'One') },
      {
        id: '2',
        atomicityGroup: 'g',
        method: 'PATCH',
        url: '$1',
        headers: { 'if-match': '*' },
        body: { title: 'Changed' },
      },
      { id: '3', dependsOn: ['g'], method: 'GET', url: '$1/title/$value' },
    ])
    expect(answers).toMatchObject([
      { id: '1', atomicityGroup: 'g', status: 201 },
      { id: '2', atomicityGroup: 'g', status: 200 },
      { id: '3', status: 200, body: 'Changed' },
    ])
    await clear()
  })

  it.each([
    ['names', { dependsOn: ['1'], method: 'GET', url: '/books?$top=1' }],
    ['refers to in its URL', { method: 'PATCH', url: '$1', headers: { 'if-match': '*' }, body: { title: 'Two' } }],
  ])('waits before an atomicity group for an earlier write that the group %s', async (_, request) => {
    const answers = await json([
      { id: '1', method: 'POST', url: '/books', body: book(isbns[0], 'One') },
      { id: '2', atomicityGroup: 'g', ...request },
    ])
    expect(answers).toMatchObject([
      { id: '1', status: 201 },
      { id: '2', status: 200 },
    ])
    await clear()
  })

  it('stores no request of an atomicity group of which one fails', async () => {
    const answers = await json([
      { id: '1', atomicityGroup: 'g', method: 'POST', url: '/books', body: book(isbns[0], 'One') },
      { id: '2', atomicityGroup: 'g', method: 'POST', url: '/books', body: book(isbns[0], 'Two') },
      { id: '3', method: 'POST', url: '/books', body: book(isbns[1], 'Three') },
      { id: '4', dependsOn: ['g'], method: 'GET', url: '/books' },
    ])
    expect(answers.map(({ id, status }) => [id, status])).toEqual([
      ['1', 424],
      ['2', 409],
      ['3', 201],
      ['4', 424],
    ])
    expect(await titles()).toEqual(['Three'])
    await clear()
  })

  it('answers a multipart batch with its change sets', async () => {
    const { status, text } = await multipart([
      '--b',
      'Content-Type: multipart/mixed; boundary=c',
      '',
      '--c',
      ...http('POST books', book(isbns[0], 'Eins'), '1'),
      '--c',
      ...http('POST /v1/books', book(isbns[1], 'Zw\u00f6lf'), '2'),
      '--c--',
      '',
      '--b',
      ...http(`GET ${root}/books/$count`),
      '--b--',
      '',
    ])
    expect(status).toBe(200)
    expect(text).toMatch(/^--batchresponse_\S+\r\nContent-Type: multipart\/mixed;boundary=changesetresponse_/)
    expect(text.match(/HTTP\/1\.1 \d+ [A-Za-z ]+/g)).toEqual([
      'HTTP/1.1 201 Created',
      'HTTP/1.1 201 Created',
      'HTTP/1.1 200 OK',
    ])
    expect(text).toContain('Content-ID: 2')
    expect(await titles()).toEqual(['Eins', 'Zw\u00f6lf'])
    await clear()
  })

  it('answers a change set that fails with one response, and stops there', async () => {
    const lines = [
      '--b',
      'Content-Type: multipart/mixed; boundary=c',
      '',
      '--c',
      ...http('POST books', book(isbns[0]), '1'),
      '--c',
      ...http('POST books', book(isbns[0]), '2'),
      '--c--',
      '--b',
      ...http('GET books/$count'),
      '--b--',
    ]
    const { text } = await multipart(lines)
    expect(text.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 409'])
    const going = await multipart(lines, { prefer: 'odata.continue-on-error' })
    expect(going.text.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 409', 'HTTP/1.1 200'])
    expect(going.applied).toBe('odata.continue-on-error=true')
    expect(await titles()).toEqual([])
  })

  it('refuses a batch without an end, or with parts that are no requests', async () => {
    expect((await multipart(['--b', ...http('GET books')])).status).toBe(400)
    const split = await multipart(['--b', ...http('GET books', undefined, 'a\rx: y'), '--b--'])
    expect(split).toMatchObject({ status: 400, text: expect.stringContaining('valid header names and values') })
    expect((await multipart(['--b', 'Content-Type: text/plain', '', 'GET books', '--b--'])).status).toBe(400)
    expect((await multipart(['--b', ...http('POST $batch', {}), '--b--'])).status).toBe(400)
  })
})
