import type { Endpoint, StreamEndpoint } from '../../../spec/language/index.js'
import { onePerEndpoint, type Site } from '../../discover/site.js'
import type { TestResponse } from '../../http/message.js'
import { describeResponse, inconclusiveVerdict, isRejection } from '../../rule/response.js'
import type { ActiveRule } from '../../rule/rule.js'
import { failure, type Verdict } from '../../rule/verdict.js'
import type { Session } from '../../session/session.js'
import { canDelete } from '../../writes/ledger.js'
import { fullBody } from './body.js'
import { createItem } from './created-item.js'
import { removeItem, writeSite } from './write-site.js'

export const streamKeeps: ActiveRule = {
  kind: 'active',
  id: 'stream-keeps',
  area: 'writing',
  statement: 'A stream has the bytes and the media type of the last request that stored it, until it is deleted.',
  advice:
    'Store the bytes of a PUT, and of the POST of a media entity, as they are, together with their Content-Type. A deleted stream is 204.',
  aspects: ['stream.write'],
  covers: ['endpoint.createMedia', 'endpoint.replaceStream', 'endpoint.deleteStream', 'endpoint.readStream'],
  severity: 'must',
  writes: true,
  cost: 8,
  weight: 9,
  sites: session => onePerEndpoint(session.sites).filter(site => streamsBelow(site, session).length > 0),
  cases: (site, session) => ({
    planned: streamsBelow(site, session).map(({ reader }) => ({ name: reader.name })),
  }),
  check: async ({ name }, site, session) => {
    const streams = streamsBelow(site, session).find(({ reader }) => reader.name === name)
    if (streams === undefined) return { kind: 'pass', vacuous: true }
    const created = await createOwner(site, streams, session)
    if ('verdict' in created) return created.verdict
    try {
      return await checkStream(created, streams, session)
    } finally {
      await removeItem(created.path, session)
    }
  },
}

/** The endpoints of one stream of the items that a site creates. */
interface StreamEndpoints {
  readonly reader: StreamEndpoint
  readonly writer: StreamEndpoint | undefined
  readonly remover: StreamEndpoint | undefined
}

function streamsBelow(site: Site, session: Session): readonly StreamEndpoints[] {
  const { service, ledger } = session
  const { endpoint } = site
  if (ledger === undefined || (endpoint.kind !== 'create' && endpoint.kind !== 'createMedia')) return []
  const isMedia = endpoint.kind === 'createMedia'
  const below = service.endpoints.filter((each): each is StreamEndpoint => isStreamBelow(each, endpoint))
  const of = (reader: StreamEndpoint, kind: Endpoint['kind']): StreamEndpoint | undefined =>
    below.find(each => each.kind === kind && each.path === reader.path)
  return below
    .filter(({ kind }) => kind === 'readStream')
    .map(reader => ({ reader, writer: of(reader, 'replaceStream'), remover: of(reader, 'deleteStream') }))
    .filter(({ reader, writer }) => writer !== undefined || (isMedia && reader.property === undefined))
    .filter(({ reader }) => contentsFor(reader).length > 0)
}

/** Whether an endpoint is that of a stream of an item directly in a collection. */
function isStreamBelow(each: Endpoint, collection: Endpoint): each is StreamEndpoint {
  if (!/Stream$/.test(each.kind)) return false
  const item = each.path.template.slice(0, each.path.template.lastIndexOf('/'))
  const rest = item.startsWith(collection.path.template) ? item.slice(collection.path.template.length) : ''
  return /^(?:\/\{[^/}]+\}|\([^/]*\))$/.test(rest)
}

interface Content {
  readonly mediaType: string
  readonly text: string
}

/** Two streams of a media type that the stream can have, which a service that looks inside accepts. */
function contentsFor({ type, property }: StreamEndpoint): readonly Content[] {
  const declared = property === undefined ? type.mediaTypes : (property.mediaTypes ?? [])
  const accepts = (mediaType: string): boolean =>
    declared.length === 0 ||
    declared.some(each => each === mediaType || (each.endsWith('/*') && mediaType.startsWith(each.slice(0, -1))))
  if (accepts('text/plain'))
    return ['The first text.', 'Another text, which is longer: äöü.'].map(text => ({ mediaType: 'text/plain', text }))
  const svg = (inner: string): string => `<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8">${inner}</svg>`
  if (accepts('image/svg+xml'))
    return ['<circle r="3"/>', '<rect width="4" height="4"/>'].map(inner => ({
      mediaType: 'image/svg+xml',
      text: svg(inner),
    }))
  return []
}

interface Owner {
  readonly path: string
  /** The stream that it was created with. */
  readonly stream?: Content | undefined
}

async function createOwner(
  site: Site,
  { reader }: StreamEndpoints,
  session: Session,
): Promise<Owner | { readonly verdict: Verdict }> {
  const { ledger } = session
  const mediaEndpoint = site.endpoint.kind === 'createMedia' ? site.endpoint : undefined
  if (mediaEndpoint === undefined) {
    const writable = writeSite(site, session)
    if (writable === undefined)
      return { verdict: { kind: 'inconclusive', why: 'items cannot be created and deleted here' } }
    const created = await createItem(fullBody(writable, 1), writable, session)
    return created.kind === 'created' ? { path: created.item.path } : { verdict: created.verdict }
  }
  const [content] = contentsFor({ ...mediaEndpoint, kind: 'createMedia' })
  const mayCreate = content !== undefined && ledger?.mayCreate(site) === true
  if (ledger === undefined || content === undefined || !mayCreate)
    return { verdict: { kind: 'inconclusive', why: 'items cannot be created and deleted here' } }
  const { response, path } = await ledger.create(site, null, content)
  const inconclusive = inconclusiveVerdict(response)
  if (inconclusive !== undefined) return { verdict: inconclusive }
  if (isRejection(response, session)) return { verdict: { kind: 'unsupported', constructs: ['create'] } }
  if (path === undefined || !canDelete(path, session.service))
    return { verdict: { kind: 'inconclusive', why: 'the response to a create does not identify the new item' } }
  return { path, stream: reader.property === undefined ? content : undefined }
}

async function checkStream(
  { path: item, stream }: Owner,
  { reader, writer, remover }: StreamEndpoints,
  session: Session,
): Promise<Verdict> {
  const { ledger } = session
  const last = reader.path.template.slice(reader.path.template.lastIndexOf('/') + 1)
  const path = `${item}/${last}`
  const read = (): Promise<TestResponse> => session.send({ method: 'GET', path, headers: { accept: '*/*' } })
  if (stream !== undefined) {
    const verdict = storedVerdict(await read(), stream)
    if (verdict !== undefined) return verdict
  }
  if (ledger === undefined || !(await ledger.isOwned(item)))
    return { kind: 'inconclusive', why: 'the new item is not shown' }
  for (const content of writer === undefined ? [] : contentsFor(reader)) {
    const tag = (await read()).headers['etag']
    const condition = writer?.kind === 'replaceStream' && writer.ifMatch === 'required' ? conditionFor(tag) : {}
    const response = await session.send({
      method: 'PUT',
      path,
      rawBody: content.text,
      headers: { 'content-type': content.mediaType, ...condition },
    })
    const inconclusive = inconclusiveVerdict(response)
    if (inconclusive !== undefined) return inconclusive
    if (isRejection(response, session)) return { kind: 'unsupported', constructs: ['stream'] }
    const verdict = storedVerdict(await read(), content)
    if (verdict !== undefined) return verdict
  }
  if (remover === undefined) return { kind: 'pass' }
  const tag = (await read()).headers['etag']
  const response = await session.send({ method: 'DELETE', path, headers: tag === undefined ? {} : { 'if-match': tag } })
  const inconclusive = inconclusiveVerdict(response)
  if (inconclusive !== undefined) return inconclusive
  if (isRejection(response, session)) return { kind: 'pass' }
  const gone = await read()
  if (gone.status !== 200) return { kind: 'pass' }
  return failure({
    message: 'A deleted stream can still be read.',
    expected: 'status 204 or 404',
    received: describeResponse(gone),
    answers: [gone, response],
    features: ['stream', 'delete'],
  })
}

const conditionFor = (tag: string | undefined): Readonly<Record<string, string>> =>
  tag === undefined ? { 'if-none-match': '*' } : { 'if-match': tag }

/** What is wrong with a stream that was read. Undefined: nothing. */
function storedVerdict(response: TestResponse, { mediaType, text }: Content): Verdict | undefined {
  const inconclusive = inconclusiveVerdict(response)
  if (inconclusive !== undefined) return inconclusive
  const type = (response.headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase()
  if (response.status === 200 && response.text === text && type === mediaType) return undefined
  return failure({
    message: 'A stream is not the one that was stored.',
    expected: `status 200 with the Content-Type ${mediaType} and the bytes of ${JSON.stringify(text)}`,
    received: `${describeResponse(response)}; Content-Type: ${type}; ${JSON.stringify(response.text.slice(0, 100))}`,
    answers: [response],
    features: ['stream', response.text === text ? 'type' : 'bytes'],
  })
}
