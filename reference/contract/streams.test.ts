import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { loadSpecText } from '../../spec/language/index.js'
import {
  type BothEngines,
  itemsOf,
  memberOf,
  openBoth,
  type RequestOptions,
  type TestResponse,
} from '../testing/test-service.js'

const spec = `
specwright: 1
service: { name: gallery, namespace: gallery, version: v1 }
authentication: { scheme: none }
resources:
  photo:
    kind: entityType
    key: [id]
    entityTag: strong
    hasStream: true
    mediaTypes: [image/*, text/plain]
    properties:
      id: { type: Int32, computed: true }
      title: { type: String }
      rank: { type: Int32, nullable: true }
      sketch: { type: Stream, nullable: true, maxLength: 8 }
      notes: { type: Stream, mediaTypes: [text/plain] }
  portrait: { kind: entityType, base: photo, properties: { sitter: { type: String, nullable: true } } }
  album:
    kind: entityType
    key: [name]
    properties: { name: { type: String, createOnly: true } }
    navigation: { photos: { to: photo, collection: true, contained: true } }
container:
  photos: { entitySet: photo }
  albums: { entitySet: album }
queryOptions:
  all: { select: true, expand: true, orderby: true, top: { default: 100 } }
paths:
  /photos: { get: { returns: collection, query: all }, post: { creates: photo } }
  /photos/gallery.portrait: { get: { returns: collection, query: all, name: portraits.list }, post: { creates: portrait, name: portraits.create } }
  /photos/{id}: { get: { returns: item, query: all }, patch: { updates: item }, delete: { deletes: item } }
  /photos/{id}/$value: { get: { returns: stream }, put: { updates: stream }, delete: { deletes: stream } }
  /photos/{id}/sketch: { get: { returns: stream }, put: { updates: stream, ifMatch: required }, delete: { deletes: stream } }
  /photos/{id}/notes: { get: { returns: stream }, put: { updates: stream } }
  /albums: { get: { returns: collection, query: all }, post: { creates: album } }
  /albums/{name}: { get: { returns: item, query: all }, delete: { deletes: item } }
  /albums/{name}/photos: { get: { returns: collection, query: all }, post: { creates: photo } }
  /albums/{name}/photos/{id}/$value: { get: { returns: stream } }
errors: {}
limits: { stream: 64, body: 128 }
`

let both: BothEngines
beforeAll(async () => {
  const { service, diagnostics } = loadSpecText(spec, 'gallery.yaml')
  if (service === undefined) throw new Error(JSON.stringify(diagnostics))
  both = await openBoth(service, [])
})
afterAll(() => both.stop())

describe.each(['sqlite', 'postgres'] as const)('streams on %s:', engine => {
  const send = (path: string, options?: RequestOptions): Promise<TestResponse> =>
    both.services[engine].request(path, options)
  const upload = (
    path: string,
    body: string,
    type = 'image/png',
    more: Readonly<Record<string, string>> = {},
  ): Promise<TestResponse> => {
    const method = /(?:value|sketch|notes)$/.test(path) ? 'PUT' : 'POST'
    return send(path, { method, body, headers: { 'content-type': type, ...more } })
  }
  const header = ({ headers }: TestResponse, name: string): string | null => headers.get(name)

  let id = ''
  let photo = ''
  beforeEach(async () => {
    const created = await upload('/photos', 'abcdef')
    id = String(memberOf(created.json, 'id'))
    photo = `/photos/${id}`
  })

  it('a POST of a stream creates a media entity, with empty values for what it requires', async () => {
    const created = await upload('/photos', 'bytes', 'image/png; x=1')
    expect(created.status).toBe(201)
    expect(header(created, 'location')).toBe(`http://service.test/v1/photos/${memberOf(created.json, 'id')}`)
    expect(created.json).toMatchObject({
      title: '',
      rank: null,
      '@odata.mediaContentType': 'image/png; x=1',
      '@odata.mediaEtag': expect.stringMatching(/^"[\w-]{22}"$/),
    })
    expect(Object.keys(Object(created.json))).not.toContain('sketch')
  })

  it('a stream has all of its bytes', async () => {
    const bytes = Uint8Array.from({ length: 64 }, (_, index) => index * 4 + (index % 4))
    await send(`${photo}/$value`, { method: 'PUT', body: bytes.buffer, headers: { 'content-type': 'image/png' } })
    const { fetch } = both.services[engine].reference
    const read = await fetch(new Request(`http://service.test/v1${photo}/$value`))
    expect(new Uint8Array(await read.arrayBuffer())).toEqual(bytes)
    expect((await send(`${photo}/$value`)).text.length).toBeGreaterThan(0)
  })

  it('the stream has its media type, entity tag and length, and cannot run as a page', async () => {
    const read = await send(`${photo}/$value`)
    expect([read.status, read.text]).toEqual([200, 'abcdef'])
    expect(header(read, 'content-type')).toBe('image/png')
    expect(header(read, 'etag')).toBe(memberOf((await send(photo)).json, '@odata.mediaEtag'))
    expect(header(read, 'x-content-type-options')).toBe('nosniff')
    expect(header(read, 'content-security-policy')).toContain('sandbox')
    const head = await send(`${photo}/$value`, { method: 'HEAD' })
    expect([head.status, head.text, header(head, 'etag')]).toEqual([200, '', header(read, 'etag')])
  })

  it.each([
    ['bytes=1-2', 206, 'bc', 'bytes 1-2/6'],
    ['bytes=4-', 206, 'ef', 'bytes 4-5/6'],
    ['bytes=-2', 206, 'ef', 'bytes 4-5/6'],
    ['bytes=0-99', 206, 'abcdef', 'bytes 0-5/6'],
    ['bytes=6-', 416, '', 'bytes */6'],
    ['bytes=0-1,3-4', 200, 'abcdef', null],
    ['pages=1-2', 200, 'abcdef', null],
    ['bytes=3-1', 200, 'abcdef', null],
  ])('Range: %s gets %d', async (range, status, text, contentRange) => {
    const read = await send(`${photo}/$value`, { headers: { range } })
    expect([read.status, read.text, header(read, 'content-range')]).toEqual([status, text, contentRange])
  })

  it('a range of another version of the stream is the whole stream', async () => {
    const etag = String(header(await send(`${photo}/$value`), 'etag'))
    const part = (condition: string) =>
      send(`${photo}/$value`, { headers: { range: 'bytes=0-0', 'if-range': condition } })
    expect([(await part(etag)).text, (await part('"other"')).text]).toEqual(['a', 'abcdef'])
  })

  it('If-None-Match and If-Match compare the entity tag of the stream', async () => {
    const etag = String(header(await send(`${photo}/$value`), 'etag'))
    expect((await send(`${photo}/$value`, { headers: { 'if-none-match': etag } })).status).toBe(304)
    expect((await send(`${photo}/$value`, { headers: { 'if-match': '"other"' } })).status).toBe(412)
    expect((await upload(`${photo}/$value`, 'new', 'image/gif', { 'if-match': '"other"' })).status).toBe(412)
    const changed = await upload(`${photo}/$value`, 'new', 'image/gif', { 'if-match': etag })
    expect([changed.status, changed.text]).toEqual([204, ''])
    const read = await send(`${photo}/$value`)
    expect([read.text, header(read, 'content-type'), header(read, 'etag')]).toEqual([
      'new',
      'image/gif',
      header(changed, 'etag'),
    ])
    expect(header(read, 'etag')).not.toBe(etag)
  })

  it('a change of a stream changes the entity tag of its item', async () => {
    const before = memberOf((await send(photo)).json, '@odata.etag')
    await upload(`${photo}/notes`, 'words', 'text/plain')
    expect(memberOf((await send(photo)).json, '@odata.etag')).not.toBe(before)
  })

  it('a stream property is null until it is stored, and after it is deleted', async () => {
    const path = `${photo}/sketch`
    expect((await send(path)).status).toBe(204)
    expect((await upload(path, 'x', 'image/png')).status).toBe(428)
    expect((await upload(path, 'x', 'image/png', { 'if-match': '*' })).status).toBe(412)
    expect((await upload(path, 'x', 'image/png', { 'if-none-match': '*' })).status).toBe(204)
    expect((await upload(path, 'longer than 8', 'image/png', { 'if-match': '*' })).status).toBe(413)
    expect((await send(path)).text).toBe('x')
    expect((await send(path, { method: 'DELETE' })).status).toBe(204)
    expect((await send(path)).status).toBe(204)
  })

  it('If-None-Match: * stores a stream only if the item has none yet', async () => {
    const store = () => upload(`${photo}/notes`, 'one', 'text/plain', { 'if-none-match': '*' })
    expect([(await store()).status, (await store()).status]).toEqual([204, 412])
  })

  it.each([
    ['a media type that the stream cannot have', '/photos', 'a', 'application/pdf', 415],
    ['a malformed media type', '/photos', 'a', 'image', 415],
    ['no bytes', '/photos', '', 'image/png', 201],
    ['as many bytes as the limit', '/photos', 'a'.repeat(64), 'image/png', 201],
    ['more bytes than the limit', '/photos', 'a'.repeat(65), 'image/png', 413],
  ])('a stream with %s', async (_, path, body, type, status) => {
    expect((await upload(path, body, type)).status).toBe(status)
  })

  it('a stream of no bytes is a stream', async () => {
    const created = await upload('/photos', '')
    const read = await send(`/photos/${memberOf(created.json, 'id')}/$value`)
    expect([read.status, read.text, header(read, 'content-type')]).toEqual([200, '', 'image/png'])
  })

  it.each([
    ['/photos/999/$value', 404],
    ['/photos/x/$value', 400],
    ['/albums/none/$value', 404],
  ])('%s gets %d', async (path, status) => {
    expect((await send(path)).status).toBe(status)
  })

  it('lists and selections say what streams an item has', async () => {
    await upload(`${photo}/notes`, 'words', 'text/plain')
    const list = itemsOf(await send('/photos?$select=title,notes'))
    const item = list.find(each => memberOf(each, '@odata.id') === `http://service.test/v1/photos(${id})`)
    expect(item).toMatchObject({ title: '', 'notes@odata.mediaContentType': 'text/plain' })
    const only = (await send(`${photo}?$select=id`)).json
    expect(Object.keys(Object(only)).filter(name => name.startsWith('notes'))).toEqual([])
  })

  it('full metadata link to the streams that can be read or changed', async () => {
    const full = (await send(photo, { headers: { accept: 'application/json;odata.metadata=full' } })).json
    const url = `http://service.test/v1/photos(${id})`
    expect(full).toMatchObject({
      '@odata.mediaReadLink': `${url}/$value`,
      '@odata.mediaEditLink': `${url}/$value`,
      'sketch@odata.mediaReadLink': `${url}/sketch`,
      'notes@odata.mediaEditLink': `${url}/notes`,
    })
    const none = await send(photo, { headers: { accept: 'application/json;odata.metadata=none' } })
    expect(none.text).not.toContain('media')
  })

  it('a derived media entity is created at the path of its type', async () => {
    const created = await upload('/photos/gallery.portrait', 'face')
    expect(created.json).toMatchObject({ sitter: null, '@odata.mediaContentType': 'image/png' })
  })

  it('contained media entities end with their owner, and so do their streams', async () => {
    await send('/albums', { method: 'POST', body: { name: engine } })
    const created = await upload(`/albums/${engine}/photos`, 'inside')
    const path = `/albums/${engine}/photos/${memberOf(created.json, 'id')}/$value`
    expect((await send(path)).text).toBe('inside')
    const expanded = await send(`/albums/${engine}?$expand=photos`)
    expect(memberOf(expanded.json, 'photos')).toMatchObject([{ '@odata.mediaContentType': 'image/png' }])
    await send(`/albums/${engine}`, { method: 'DELETE' })
    await send('/albums', { method: 'POST', body: { name: engine } })
    expect((await send(path)).status).toBe(404)
    await send(`/albums/${engine}`, { method: 'DELETE' })
  })

  it('an item that is deleted has no stream any longer', async () => {
    await send(photo, { method: 'DELETE' })
    expect((await send(`${photo}/$value`)).status).toBe(404)
    expect((await upload(`${photo}/$value`, 'a')).status).toBe(404)
  })

  it('deleting the stream of a media entity leaves the entity', async () => {
    expect((await send(`${photo}/$value`, { method: 'DELETE' })).status).toBe(204)
    expect((await send(`${photo}/$value`)).status).toBe(204)
    expect(Object.keys(Object((await send(photo)).json))).not.toContain('@odata.mediaContentType')
  })
})
