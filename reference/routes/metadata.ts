import {
  type ExtraRoute,
  type MediaType,
  parseMediaType,
  RequestFault,
  type ServerRequest,
  type ServiceTable,
  splitUnquoted,
} from '../../runtime/server/index.js'

/** The model as CSDL, created on the first request. */
export interface MetadataText {
  readonly xml: () => string | Promise<string>
  readonly json: () => string | Promise<string>
}

const contentTypes = { xml: 'application/xml;charset=utf-8', json: 'application/json;charset=utf-8' } as const

/**
 * The metadata document: CSDL in XML, or in JSON if `$format` or `Accept` asks for it. Its version is 4.01, or 4.0 for a caller
 * who accepts no later one.
 *
 * @see OData Protocol 4.01, 11.1.2 (metadata document request)
 */
export function metadataRoute(table: ServiceTable, metadata: MetadataText): readonly ExtraRoute[] {
  const made = new Map<keyof MetadataText, Promise<string>>()
  const textOf = (format: keyof MetadataText): Promise<string> => {
    const text = made.get(format) ?? Promise.resolve(metadata[format]())
    made.set(format, text)
    return text
  }
  const handle: ExtraRoute['handle'] = async ({ request: incoming, headers }) => {
    const format = chooseFormat(incoming)
    if (format === undefined) {
      const reason = 'The metadata document is application/xml or application/json.'
      throw new RequestFault('notAcceptable', { values: { reason } })
    }
    const text = await textOf(format)
    // CSDL JSON exists since 4.01.
    const isOld = format === 'xml' && incoming.head.headers.get('odata-maxversion')?.trim() === '4.0'
    return {
      status: 200,
      headers: {
        ...headers,
        'odata-version': isOld ? '4.0' : '4.01',
        'content-type': contentTypes[format],
        vary: 'Accept, OData-MaxVersion',
      },
      body: isOld ? text.replace(' Version="4.01"', ' Version="4.0"') : text,
    }
  }
  return dollarPaths(table, 'metadata').map(path => ({ method: 'GET', path, handle }))
}

type Format = 'xml' | 'json'

const mediaTypes: Readonly<Record<Format, string>> = { xml: 'application/xml', json: 'application/json' }

/**
 * The format of the metadata document that a request asks for; undefined if it accepts neither. `$format` takes precedence
 * over `Accept`, and XML over JSON.
 *
 * @see OData Protocol 4.01, 11.2.12 ($format)
 */
function chooseFormat({ head, target }: ServerRequest): Format | undefined {
  const query = target.includes('?') ? target.slice(target.indexOf('?') + 1) : ''
  const options = new URLSearchParams(query)
  const requested = options.get('$format') ?? options.get('format')
  if (requested !== null) {
    const name = requested.toLowerCase()
    if (name === 'xml' || name === 'json') return name
    return best(requested)
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

/**
 * The most specific matching range takes precedence.
 *
 * @see RFC 9110, 12.5.1
 */
function quality(ranges: readonly MediaType[], type: string): number {
  for (const range of [type, 'application/*', '*/*']) {
    const found = ranges.find(each => each.type === range)
    if (found === undefined) continue
    const weight = Number(found.parameters.get('q') ?? '1')
    return weight >= 0 && weight <= 1 ? weight : 0
  }
  return 0
}

/** The paths of a resource whose name begins with a dollar sign. Some clients encode it. */
export function dollarPaths({ version }: ServiceTable, name: string): readonly string[] {
  return ['$', '%24'].map(dollar => `/${version}/${dollar}${name}`)
}
