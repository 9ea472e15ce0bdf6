import { type Metadata, negotiate } from '../http/accept.js'
import { RequestFault } from '../request-fault.js'

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
