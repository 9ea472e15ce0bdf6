import { type EntityType, isStream } from '../../../spec/language/index.js'
import type { Random } from './random.js'

/**
 * The streams of an item as data files have them: each one that must not be null, and most of the others. They are few bytes
 * of text, or of the first media type that the stream can have.
 */
export function seedStreams(type: EntityType, random: Random): Readonly<Record<string, string>> {
  const streams: Record<string, string> = {}
  const add = (name: string, mediaTypes: readonly string[], maxLength = 16): void => {
    const [first = 'text/plain'] = mediaTypes
    const mediaType = first.replace(/^image\/\*$/, 'image/png').replace('/*', '/plain')
    const bytes = Buffer.from(`${type.name} ${random.below(1_000_000)}`).subarray(0, Math.min(16, maxLength))
    streams[`${name}@odata.mediaContentType`] = mediaType
    streams[name === '' ? '$value' : name] = bytes.toString('base64url')
  }
  if (type.hasStream) add('', type.mediaTypes)
  for (const property of type.properties) {
    if (!isStream(property.type) || (property.nullable && random.percent(30))) continue
    add(property.name, property.mediaTypes ?? [], property.maxLength)
  }
  return streams
}
