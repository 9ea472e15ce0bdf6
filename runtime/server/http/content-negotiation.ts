import { RequestFault } from '../errors.js'
import type { RouteKind } from '../service-table.js'
import { type MediaType, parseMediaType, splitUnquoted } from './media-type.js'

/** The amount of control information in a JSON response. @see OData JSON Format 4.01, 3.1 */
export type Metadata = 'minimal' | 'none'

export type Representation = { readonly type: 'json'; readonly metadata: Metadata } | { readonly type: 'text' }

const minimal: Representation = { type: 'json', metadata: 'minimal' }
const withoutMetadata: Representation = { type: 'json', metadata: 'none' }
const plainText: Representation = { type: 'text' }

/** Chooses the representation of a response. `format` is the one that `$format` requests. Fails with `notAcceptable`. */
export function chooseRepresentation(
  kind: RouteKind,
  format: Metadata | undefined,
  accept: string | null,
): Representation {
  if (format !== undefined) return format === 'none' ? withoutMetadata : minimal
  const representation = negotiate(accept, kind === 'count' ? 'text' : 'json')
  if (representation !== undefined) return representation
  throw new RequestFault('notAcceptable', { values: { reason: 'Accept application/json.' } })
}

/**
 * Chooses the representation that `Accept` prefers. Undefined: none of the available representations is acceptable. A
 * malformed field is ignored, as RFC 9110 allows.
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

/** The most specific range that includes the type determines its quality. */
function bestMatch(ranges: readonly MediaType[], type: string): RangeMatch | undefined {
  const wildcard = `${type.slice(0, type.indexOf('/'))}/*`
  for (const candidate of [type, wildcard, '*/*']) {
    let found: RangeMatch | undefined
    for (const range of ranges) {
      if (range.type !== candidate) continue
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

/** The format that `$format` requests: `json` or a media type. @see OData Protocol 4.01, 11.2.12 */
export function requestedFormat(format: string | undefined): Metadata | undefined {
  if (format === undefined) return undefined
  const representation = format.toLowerCase() === 'json' ? negotiate(null, 'json') : negotiate(format, 'json')
  if (representation?.type === 'json' && (format.includes('json') || format.includes('*')))
    return representation.metadata
  throw new RequestFault('notAcceptable', {
    target: '$format',
    values: { reason: `$format=${format} is not available. Use $format=json.` },
  })
}
