import { isStream, type StreamEndpoint } from '../../../spec/language/index.js'
import { type EndpointContext, emptyReply, type Reply } from './behaviour.js'
import type { Json } from './json.js'
import type { Entity, Stream } from './store.js'

const nameOf = ({ property }: StreamEndpoint): string => property?.name ?? ''

/** Reads, replaces or deletes the stream of an item. */
export function serveStream(endpoint: StreamEndpoint, at: EndpointContext): Reply {
  const { behaviour, service, target } = at
  const { itemNotFound, preconditionFailed } = service.faults
  if (target.kind !== 'one') return behaviour.error(itemNotFound, itemNotFound.message, at)
  const name = nameOf(endpoint)
  const stream = target.row.streams.get(name)
  if (endpoint.kind === 'readStream') return readStream(stream, at)
  const condition = behaviour.header('If-Match', at)
  if (condition !== null && !(stream !== undefined && matchesTag(condition, tagOf(stream))))
    return behaviour.error(preconditionFailed, preconditionFailed.message, at)
  if (endpoint.kind === 'deleteStream') target.row.streams.delete(name)
  else {
    const stored = behaviour.storedStream(contentOf(endpoint, stream, at), stream, at)
    if ('status' in stored) return stored
    target.row.streams.set(name, stored)
  }
  behaviour.commit({ kind: 'update', entity: target.row, values: target.row.values }, at)
  const changed = target.row.streams.get(name)
  return emptyReply(204, changed === undefined ? {} : { ETag: tagOf(changed) })
}

function readStream(stream: Stream | undefined, at: EndpointContext): Reply {
  if (stream === undefined) return emptyReply(204)
  const { mediaType, text, version } = at.behaviour.sentStream(stream, at)
  const headers = { ETag: tagOf({ version }), 'Content-Type': mediaType }
  const known = at.behaviour.header('If-None-Match', at)
  if (known !== null && matchesTag(known, headers.ETag)) return emptyReply(304, { ETag: headers.ETag })
  return { status: 200, headers, text }
}

/** The stream in a request, or the rejection of its media type. */
export function contentOf(endpoint: StreamEndpoint, before: Stream | undefined, at: EndpointContext): Stream | Reply {
  const { type, property } = endpoint
  const mediaType = at.request.headers.get('Content-Type') ?? 'application/octet-stream'
  const allowed = property === undefined ? type.mediaTypes : (property.mediaTypes ?? [])
  const fits = allowed.some(each =>
    each.endsWith('/*') ? mediaType.startsWith(each.slice(0, -1)) : mediaType === each,
  )
  const { unsupportedMediaType } = at.service.faults
  if (allowed.length > 0 && !fits) return at.behaviour.error(unsupportedMediaType, unsupportedMediaType.message, at)
  return { mediaType, text: at.request.body, version: (before?.version ?? 0) + 1 }
}

const tagOf = ({ version }: Pick<Stream, 'version'>): string => `"s${version}"`

/** What the JSON of an item says about its streams. @see OData JSON Format 4.01, 4.6.12 (media*) */
export function streamControlInformation(row: Entity, at: EndpointContext): Readonly<Record<string, Json>> {
  const members: Record<string, Json> = {}
  for (const [name, stream] of row.streams) {
    if (name !== '' && !row.type.properties.some(each => each.name === name && isStream(each.type))) continue
    const { mediaType, version } = at.behaviour.announcedStream(stream, at)
    members[`${name}@odata.mediaContentType`] = mediaType
    members[`${name}@odata.mediaEtag`] = tagOf({ version })
  }
  return members
}

function matchesTag(header: string, tag: string): boolean {
  return header.trim() === '*' || header.split(',').some(each => each.trim() === tag)
}
