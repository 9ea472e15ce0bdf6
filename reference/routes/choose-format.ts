import { type MediaType, parseMediaType, splitUnquoted } from '../../runtime/server/http/media-type.js'
import type { Incoming } from '../../runtime/server/index.js'

type Format = 'xml' | 'json'

const mediaTypes: Readonly<Record<Format, string>> = { xml: 'application/xml', json: 'application/json' }

/**
 * The format that a request for the metadata document wants: `$format` goes before `Accept`, XML before JSON where both
 * will do; undefined when neither will.
 *
 * @see OData Protocol 4.01, 11.2.12 ($format)
 */
export function chooseFormat({ head, target }: Incoming): Format | undefined {
  const query = target.includes('?') ? target.slice(target.indexOf('?') + 1) : ''
  const options = new URLSearchParams(query)
  const wanted = options.get('$format') ?? options.get('format')
  if (wanted !== null) {
    const name = wanted.toLowerCase()
    if (name === 'xml' || name === 'json') return name
    return best(wanted)
  }
  const accept = head.headers.get('accept')
  return accept === null || accept.trim() === '' ? 'xml' : best(accept)
}

function best(accept: string): Format | undefined {
  const ranges = splitUnquoted(accept, ',').flatMap(part => parseMediaType(part) ?? [])
  const xml = quality(ranges, mediaTypes.xml)
  const json = quality(ranges, mediaTypes.json)
  if (xml === 0 && json === 0) return undefined
  return json > xml ? 'json' : 'xml'
}

/** The most specific range that covers the type decides. @see RFC 9110, 12.5.1 */
function quality(ranges: readonly MediaType[], type: string): number {
  for (const range of [type, 'application/*', '*/*']) {
    const found = ranges.find(each => each.type === range)
    if (found === undefined) continue
    const weight = Number(found.parameters.get('q') ?? '1')
    return weight >= 0 && weight <= 1 ? weight : 0
  }
  return 0
}
