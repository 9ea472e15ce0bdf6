import { RequestFault } from '../errors.js'
import type { RouteKind } from '../service-table.js'
import { type MediaType, parseMediaType, splitUnquoted } from './message.js'

/** The amount of control information in a JSON response. @see OData JSON Format 4.01, 3.1 */
type Metadata = 'full' | 'minimal' | 'none'

/** The parameters of the format of a JSON response. */
export interface JsonFormat {
  readonly metadata: Metadata
  /** Int64 and Decimal are strings. @see OData JSON Format 4.01, 3.2 */
  readonly ieee754Compatible: boolean
}

export type Representation = ({ readonly type: 'json' } & JsonFormat) | { readonly type: 'text' }

export const plainJsonFormat: JsonFormat = { metadata: 'minimal', ieee754Compatible: false }
const minimal: Representation = { type: 'json', ...plainJsonFormat }
const plainText: Representation = { type: 'text' }

/** Chooses the representation of a response. `format` is the one that `$format` requests. Fails with `notAcceptable`. */
export function chooseRepresentation(
  kind: RouteKind,
  format: JsonFormat | undefined,
  accept: string | null,
): Representation {
  if (format !== undefined) return { type: 'json', ...format }
  if (kind === 'readStream' || kind === 'replaceStream' || kind === 'deleteStream') return minimal
  const representation = negotiate(accept, kind === 'count' ? 'text' : 'json')
  if (representation !== undefined) return representation
  throw new RequestFault('notAcceptable', {
    values: { reason: 'Accept application/json, with the format parameters of OData only.' },
  })
}

/**
 * Chooses the representation that `Accept` prefers. Undefined: none of the available representations is acceptable. A
 * malformed field is ignored, as RFC 9110 allows. A media type with an unknown format parameter is not acceptable.
 *
 * @see RFC 9110, 12.5.1; OData Protocol 4.01, 8.2.1 (Accept)
 */
export function negotiate(accept: string | null, offer: 'json' | 'text'): Representation | undefined {
  if (accept === null || accept === '*/*') return offer === 'json' ? minimal : plainText
  if (accept === jsonType) return minimal
  const all = splitUnquoted(accept, ',').flatMap((part): MediaType | readonly [] => parseMediaType(part) ?? [])
  if (all.length === 0) return offer === 'json' ? minimal : plainText
  const ranges = all.filter(range => range.type !== jsonType || jsonFormatOf(range) !== undefined)
  const json = bestMatch(ranges, jsonType)
  if (offer === 'text') {
    const plain = bestMatch(ranges, 'text/plain')
    if (plain !== undefined && plain.quality >= (json?.quality ?? 0)) return plainText
  }
  if (json === undefined) return undefined
  return { type: 'json', ...plainJsonFormat, ...(json.range.type === jsonType ? jsonFormatOf(json.range) : {}) }
}

const jsonType = 'application/json'

/** The format parameters with their values. @see OData JSON Format 4.01, 3 */
const formatParameters: Readonly<Record<string, RegExp>> = {
  metadata: /^(?:full|minimal|none)$/,
  streaming: /^(?:true|false)$/,
  ieee754compatible: /^(?:true|false)$/,
  exponentialdecimals: /^(?:true|false)$/,
  charset: /^utf-?8$/i,
  q: /^/,
}

/** The format that the parameters of `application/json` request. Undefined: one of them is unknown. */
function jsonFormatOf({ parameters }: MediaType): JsonFormat | undefined {
  const given = new Map<string, string>()
  for (const [name, value] of parameters) {
    const short = name.replace(/^odata\./, '')
    if (!Object.hasOwn(formatParameters, short) || formatParameters[short]?.test(value) !== true) return undefined
    given.set(short, value)
  }
  const metadata = given.get('metadata')
  return {
    metadata: metadata === 'full' || metadata === 'none' ? metadata : 'minimal',
    ieee754Compatible: given.get('ieee754compatible') === 'true',
  }
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
export function requestedFormat(format: string | undefined): JsonFormat | undefined {
  if (format === undefined) return undefined
  const representation = negotiate(format.toLowerCase() === 'json' ? null : format, 'json')
  if (representation?.type === 'json' && (format.includes('json') || format.includes('*'))) return representation
  throw new RequestFault('notAcceptable', {
    target: '$format',
    values: { reason: `$format=${format} is not available. Use $format=json.` },
  })
}
