import type { Service } from '../../spec/language/index.js'
import { createReferenceService, type ReferenceOptions, type ReferenceService } from '../reference-service.js'
import type { EntityRecord } from '../store/store.js'
import { storeMaker } from './engines.js'
import { sqliteDrivers } from './sqlite-drivers.js'

/** A response for assertions. */
export interface TestResponse {
  readonly status: number
  readonly headers: Headers
  /** The body with placeholders for values that change each time: request ids, times and tokens. */
  readonly text: string
  /** The body as JSON; undefined if it is not JSON. */
  readonly json: Json
}

export type Json = undefined | null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json }

/** A service under test. */
export interface TestedService {
  readonly reference: ReferenceService
  /** `path` is relative to the root of the service, or a link that the service returned. */
  readonly request: (path: string, request?: RequestOptions) => Promise<TestResponse>
}

export interface RequestOptions {
  readonly method?: string
  /** Sent as JSON, or as it is if it is text or bytes and the headers state a content type. */
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

const origin = 'http://service.test'

/** Opens a service on an empty store and loads it. An unexpected error is thrown at the end of the request. */
export async function openService(
  spec: Service | string,
  store: string,
  records: readonly EntityRecord[] = [],
  principal: { readonly id: string; readonly scopes: readonly string[] } = { id: 'nobody', scopes: [] },
  now: () => Date = () => new Date(Date.UTC(2024, 5, 1, 12, 0, 0, 250)),
  options: Pick<ReferenceOptions, 'functions' | 'limits'> = {},
): Promise<TestedService> {
  let unexpected: unknown
  const reference = await createReferenceService({
    ...options,
    spec,
    store,
    authenticate: () => principal,
    onError: error => {
      unexpected = error
    },
    now,
  })
  await reference.load(records)
  const root = `${origin}/${reference.table.version}`
  const request = async (
    path: string,
    { method = 'GET', body, headers = {} }: RequestOptions = {},
  ): Promise<TestResponse> => {
    const url = path.startsWith(origin) ? path : `${root}${path}`
    const type = body === undefined ? {} : { 'content-type': 'application/json' }
    const isRaw = (typeof body === 'string' || body instanceof ArrayBuffer) && 'content-type' in headers
    const init = {
      method,
      headers: { ...type, ...headers },
      ...(body === undefined ? {} : { body: isRaw ? body : JSON.stringify(body) }),
    }
    const response = await reference.fetch(new Request(url, init))
    const text = await response.text()
    if (response.status >= 500 && response.status !== 501)
      throw new Error(`${method} ${path}: ${text}`, { cause: unexpected })
    return { status: response.status, headers: response.headers, text: normalised(text), json: parsed(text) }
  }
  return { reference, request }
}

function normalised(text: string): string {
  return text
    .replaceAll(/"innerError":\{[^}]*\}/g, '"innerError":{}')
    .replaceAll(/(\$(?:skip|delta)token=)[^"&]*/g, '$1…')
    .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/g, '…')
}

function parsed(text: string): Json {
  return text.startsWith('{') || text.startsWith('[') ? JSON.parse(text) : undefined
}

/** A member of a JSON object. */
export function memberOf(json: Json, name: string): Json {
  if (typeof json !== 'object' || json === null || Array.isArray(json)) return undefined
  return Object.entries(json).find(([key]) => key === name)?.[1]
}

/** The items of a collection response. */
export function itemsOf({ json }: TestResponse): readonly Json[] {
  const value = memberOf(json, 'value')
  return Array.isArray(value) ? value : []
}

/** The ids of the items of a collection response. */
export function idsOf(response: TestResponse): readonly Json[] {
  return itemsOf(response).map(item => memberOf(item, 'id'))
}

/** A link of a collection response. */
export function linkOf({ json }: TestResponse, name: 'nextLink' | 'deltaLink'): string | undefined {
  const link = memberOf(json, `@odata.${name}`)
  return typeof link === 'string' ? link : undefined
}

/** A service on a store of each engine, with the same items. All drivers of SQLite get each request of `sqlite`. */
export interface BothEngines {
  readonly services: Readonly<Record<'sqlite' | 'postgres', TestedService>>
  readonly stop: () => Promise<void>
}

export async function openBoth(
  spec: Service | string,
  records: readonly EntityRecord[],
  principal?: { readonly id: string; readonly scopes: readonly string[] },
): Promise<BothEngines> {
  const maker = await storeMaker('postgres')
  const postgres = await openService(spec, await maker.make(), records, principal)
  const drivers: TestedService[] = []
  for (const { name } of sqliteDrivers) {
    drivers.push(await openService(spec, `${name}::memory:`, records, principal))
  }
  return {
    services: { sqlite: together(drivers), postgres },
    stop: async () => {
      for (const { reference } of [postgres, ...drivers]) await reference.close()
      await maker.stop()
    },
  }
}

/**
 * Several services as one: all of them get each request, and must answer it equally. A link contains a token of the store
 * that returned it, so only the first one gets it.
 */
function together(services: readonly TestedService[]): TestedService {
  const [first, ...others] = services
  if (first === undefined) throw new Error('No driver of SQLite is there.')
  return {
    reference: first.reference,
    request: async (path, options) => {
      const response = await first.request(path, options)
      if (path.startsWith(origin)) return response
      for (const other of others) {
        const { status, text } = await other.request(path, options)
        if (status !== response.status || text !== response.text) {
          throw new Error(`The drivers of SQLite disagree on ${path}:\n${response.text}\n${text}`)
        }
      }
      return response
    },
  }
}
