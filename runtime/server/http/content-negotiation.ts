import { RequestFault } from '../errors.js'
import { type MediaType, parseMediaType, splitUnquoted } from './media-type.js'

/** How a JSON response describes itself. @see OData JSON Format 4.01, 3.1 */
export type Metadata = 'minimal' | 'none'

/** The representation to send. */
export type Representation = { readonly type: 'json'; readonly metadata: Metadata } | { readonly type: 'text' }

const minimal: Representation = { type: 'json', metadata: 'minimal' }
const withoutMetadata: Representation = { type: 'json', metadata: 'none' }
const plainText: Representation = { type: 'text' }

/**
 * Chooses the representation that `Accept` wants most among those on offer; undefined: it wants none of them. A field
 * that cannot be read counts as absent, which RFC 9110 lets a server do.
 *
 * @see RFC 9110, 12.5.1
 */
export function negotiate(accept: string | null, offer: 'json' | 'text'): Representation | undefined {
  if (accept === null || accept === '*/*') return offer === 'json' ? minimal : plainText
  if (accept === 'application/json' && offer === 'json') return minimal
  const ranges = splitUnquoted(accept, ',').flatMap((part): MediaType | readonly [] => parseMediaType(part) ?? [])
  if (ranges.length === 0) return offer === 'json' ? minimal : plainText
  const json = bestMatch(ranges, 'application/json')
  if (offer === 'text') {
    const plain = bestMatch(ranges, 'text/plain')
    if (plain !== undefined && plain.quality >= (json?.quality ?? 0)) return plainText
  }
  if (json === undefined) return undefined
  return json.range.parameters.get('odata.metadata') === 'none' || json.range.parameters.get('metadata') === 'none'
    ? withoutMetadata
    : minimal
}

interface RangeMatch {
  readonly range: MediaType
  readonly quality: number
}

/** The most specific range that covers the type decides its quality. */
function bestMatch(ranges: readonly MediaType[], type: string): RangeMatch | undefined {
  const wildcard = `${type.slice(0, type.indexOf('/'))}/*`
  for (const wanted of [type, wildcard, '*/*']) {
    let found: RangeMatch | undefined
    for (const range of ranges) {
      if (range.type !== wanted) continue
      const quality = qualityOf(range)
      if (found === undefined || quality > found.quality) found = { range, quality }
    }
    if (found !== undefined) return found.quality > 0 ? found : undefined
  }
  return undefined
}

function qualityOf(range: MediaType): number {
  const text = range.parameters.get('q')
  return text === undefined ? 1 : /^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/.test(text) ? Number(text) : 0
}

/** What `$format` asks for: `json` or a media type, which goes before `Accept`. @see OData Protocol 4.01, 11.2.12 */
export function requestedFormat(format: string | undefined): Metadata | undefined {
  if (format === undefined) return undefined
  const representation = format.toLowerCase() === 'json' ? negotiate(null, 'json') : negotiate(format, 'json')
  if (representation?.type === 'json' && (format.includes('json') || format.includes('*')))
    return representation.metadata
  throw new RequestFault('notAcceptable', {
    target: '$format',
    values: { reason: `$format=${format} is not available; use $format=json.` },
  })
}
