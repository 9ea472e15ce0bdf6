import {
  type ExtraRoute,
  jsonContentType,
  type MediaType,
  parseMediaType,
  RequestFault,
  type ServerRequest,
  type ServiceTable,
  splitUnquoted,
} from '../../runtime/server/index.js'

/** The routes of every service in addition to its spec: service document, `$metadata` and `/healthz`. */
export function standardRoutes(table: ServiceTable, metadata: MetadataText, probe: Probe): readonly ExtraRoute[] {
  return [...serviceDocument(table), ...metadataRoute(table, metadata), healthRoute(probe)]
}

/**
 * The service document: the entity sets and singletons with an endpoint of their own.
 *
 * @see OData JSON Format 4.01, 5 (service document)
 */
function serviceDocument(table: ServiceTable): readonly ExtraRoute[] {
  const entries = new Set(
    table.routes.filter(({ kind }) => kind === 'collection' || kind === 'item').map(({ path }) => path.slice(1)),
  )
  const value = Object.entries(table.container)
    .filter(([name]) => entries.has(name))
    .map(([name, { kind }]) => ({ name, kind: kind === 'entitySet' ? 'EntitySet' : 'Singleton', url: name }))
  const handle: ExtraRoute['handle'] = ({ serviceUrl, headers }) => ({
    status: 200,
    headers: { ...headers, 'content-type': jsonContentType() },
    body: JSON.stringify({ '@odata.context': `${serviceUrl}/$metadata`, value }),
  })
  const root = `/${table.version}`
  return [root, `${root}/`].map(path => ({ method: 'GET', path, handle }))
}

/** Milliseconds until a store that does not answer counts as unavailable. */
const patience = 2_000

/** Rejects, or resolves to false, if the service should get no requests. Degraded: it answers all of them, but a part is away. */
type Probe = () => Promise<boolean | 'degraded'>

/**
 * `/healthz`: 200 if the service can answer; 503 if its store is unavailable or the process is stopping. It needs no
 * credential and discloses nothing else.
 */
function healthRoute(probe: Probe): ExtraRoute {
  return {
    method: 'GET',
    path: '/healthz',
    anonymous: true,
    handle: async ({ headers }) => {
      const healthy = await inTime(probe().catch(() => false))
      return {
        status: healthy === false ? 503 : 200,
        headers: { ...headers, 'content-type': 'application/json;charset=utf-8', 'cache-control': 'no-store' },
        body: JSON.stringify({ status: healthy === true ? 'ok' : healthy || 'unavailable' }),
      }
    },
  }
}

function inTime(healthy: ReturnType<Probe>): ReturnType<Probe> {
  return new Promise(resolve => {
    const timer = setTimeout(() => resolve(false), patience)
    void healthy.then(result => {
      clearTimeout(timer)
      resolve(result)
    })
  })
}

/** The model as CSDL, created on the first request. */
interface MetadataText {
  readonly xml: () => string | Promise<string>
  readonly json: () => string | Promise<string>
}

const contentTypes = { xml: 'application/xml;charset=utf-8', json: 'application/json;charset=utf-8' } as const

/**
 * The metadata document: CSDL in XML, or in JSON if `$format` or `Accept` asks for it. As in all responses, its version is 4.0,
 * or 4.01 for a caller who accepts that: some clients, such as OpenUI5, say no version and read 4.0 only.
 *
 * @see OData Protocol 4.01, 11.1.2 (metadata document request)
 */
function metadataRoute(table: ServiceTable, metadata: MetadataText): readonly ExtraRoute[] {
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
    const isOld = format === 'xml' && headers['odata-version'] !== '4.01'
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
function dollarPaths({ version }: ServiceTable, name: string): readonly string[] {
  return ['$', '%24'].map(dollar => `/${version}/${dollar}${name}`)
}
