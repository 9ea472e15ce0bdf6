import { type EntityType, isStream, pointerTo } from '../../spec/language/index.js'
import type { RecordStream } from '../store/entity-record.js'
import type { DataProblem } from './integrity.js'

type JsonObject = Readonly<Record<string, unknown>>

/** What a data file says of the streams of an item. */
interface GivenStreams {
  /** By the name of the property; empty for the media stream. */
  readonly streams: Readonly<Record<string, RecordStream>>
  /** The item without its streams. */
  readonly others: JsonObject
}

const base64url = /^[\w-]*={0,2}$/

/**
 * Reads the streams of an item of a data file: the bytes as base64url in the member with the name of the property, or in
 * `$value` for the media stream, and their media type in the control information `mediaContentType`.
 *
 * @see OData JSON Format 4.01, 9 (stream property)
 */
export function readStreams(
  json: JsonObject,
  type: EntityType,
  at: string,
  report: (problem: DataProblem) => void,
): GivenStreams {
  const names = [
    ...(type.hasStream ? [''] : []),
    ...type.properties.filter(property => isStream(property.type)).map(({ name }) => name),
  ]
  if (names.length === 0) return { streams: {}, others: json }
  const streams: Record<string, RecordStream> = Object.create(null)
  const others: Record<string, unknown> = Object.assign(Object.create(null), json)
  for (const name of names) {
    const member = name === '' ? '$value' : name
    const [content, mediaType = 'application/octet-stream'] = [others[member], others[`${name}@odata.mediaContentType`]]
    delete others[member]
    delete others[`${name}@odata.mediaContentType`]
    if (content === undefined || content === null) {
      if (type.properties.find(property => property.name === name)?.nullable === false) {
        report({ code: 'data/required', message: `A ${type.name} requires ${name}.`, at })
      }
    } else if (typeof content !== 'string' || !base64url.test(content) || typeof mediaType !== 'string') {
      const message = `${member} is a stream. Expected its bytes as base64url, and its media type in "${name}@odata.mediaContentType".`
      report({ code: 'data/value', message, at: pointerTo(at, member) })
    } else streams[name] = { mediaType, bytes: Buffer.from(content, 'base64url') }
  }
  return { streams, others }
}
