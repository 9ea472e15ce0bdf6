import { isStream } from '../../../spec/language/index.js'
import { onePerEndpoint, type Site, sitePath } from '../../discover/site.js'
import { isRow } from '../../json.js'
import { describeResponse, inconclusiveVerdict } from '../../rule/response.js'
import type { ActiveRule } from '../../rule/rule.js'
import { failure } from '../../rule/verdict.js'
import type { Session } from '../../session/session.js'

export const streamPath: ActiveRule = {
  kind: 'active',
  id: 'stream-path',
  area: 'items',
  statement: 'The stream of an item has the media type and the entity tag that the item says it has.',
  advice:
    'Answer the path of a stream with its bytes, its Content-Type and its ETag. mediaContentType and mediaEtag of the item are the same values.',
  aspects: ['stream.read'],
  covers: ['endpoint.readStream'],
  severity: 'should',
  writes: false,
  cost: 3,
  weight: 6,
  sites: ({ sites }) =>
    onePerEndpoint(sites).filter(({ endpoint }) => endpoint.kind === 'item' && streamsOf(endpoint.type).length > 0),
  cases: (site, session) => ({
    planned: readableStreams(site, session).map(({ name }) => ({ name })),
  }),
  check: async ({ name = '' }, site, session) => {
    const stream = readableStreams(site, session).find(each => each.name === name)
    const item = await session.send({ method: 'GET', path: site.path })
    if (stream === undefined || item.status !== 200 || !isRow(item.json)) return { kind: 'pass', vacuous: true }
    const said = item.json[`${name}@odata.mediaContentType`]
    const tag = item.json[`${name}@odata.mediaEtag`]
    const response = await session.send({ method: 'GET', path: stream.path, headers: { accept: '*/*' } })
    const inconclusive = inconclusiveVerdict(response)
    if (inconclusive !== undefined) return inconclusive
    if (typeof said !== 'string') return { kind: 'pass', vacuous: true }
    const { 'content-type': type = '', etag } = response.headers
    const isType = essence(type) === essence(said)
    const isTag = typeof tag !== 'string' || etag === undefined || opaque(tag) === opaque(etag)
    if (response.status === 200 && isType && isTag) return { kind: 'pass' }
    return failure({
      message: 'The stream of an item is not the one that the item announces.',
      expected: `status 200 with the Content-Type ${said}${typeof tag === 'string' ? ` and the ETag ${tag}` : ''}`,
      received: `${describeResponse(response)}; Content-Type: ${type}; ETag: ${etag ?? 'none'}`,
      answers: [response, item],
      features: ['stream', isType ? (isTag ? 'status' : 'tag') : 'type'],
    })
  },
}

/** An entity tag, whether weak or strong. */
const opaque = (tag: string): string => tag.replace(/^W\//, '')

/** A media type without its parameters. */
const essence = (mediaType: string): string => (mediaType.split(';')[0] ?? '').trim().toLowerCase()

type ItemType = NonNullable<Site['type']>

/** The names of the streams of a type; empty for the media stream. */
function streamsOf(type: ItemType): readonly string[] {
  const properties = type.properties.filter(property => isStream(property.type)).map(({ name }) => name)
  return [...(type.hasStream ? [''] : []), ...properties]
}

/** The streams of an item that the service reads, with their paths. */
function readableStreams(
  { endpoint, keys }: Site,
  { service }: Pick<Session, 'service'>,
): readonly { readonly name: string; readonly path: string }[] {
  const prefix = `${endpoint.path.template}/`
  return service.endpoints.flatMap(each => {
    if (each.kind !== 'readStream' || !each.path.template.startsWith(prefix)) return []
    if (each.path.template.slice(prefix.length).includes('/')) return []
    return [{ name: each.property?.name ?? '', path: sitePath(each, keys) }]
  })
}
