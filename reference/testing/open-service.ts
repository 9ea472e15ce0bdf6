import type { Service } from '../../spec/language/index.js'
import { createReferenceService } from '../create-reference-service.js'
import type { EntityRecord } from '../entity-record.js'
import type { ReferenceService } from '../reference-service.js'

/** An answer, as tests look at it. */
export interface Answered {
  readonly status: number
  readonly headers: Headers
  /** The body without what is another one each time: identifiers of requests, times, the stores' tokens. */
  readonly text: string
  /** The body read as JSON; undefined when it is none. */
  readonly json: Json
}

export type Json = undefined | null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json }

/** A service to ask. */
export interface TestedService {
  readonly reference: ReferenceService
  /** `path` behind the service's root, or a link as the service gave it. */
  readonly ask: (path: string, request?: AskOptions) => Promise<Answered>
}

export interface AskOptions {
  readonly method?: string
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

const origin = 'http://service.test'

/** Opens a service over an empty store, and loads it. What it did not expect is thrown at the end of the request. */
export async function openService(
  spec: Service | string,
  store: string,
  records: readonly EntityRecord[] = [],
  principal: { readonly id: string; readonly scopes: readonly string[] } = { id: 'nobody', scopes: [] },
  now: () => Date = () => new Date(Date.UTC(2024, 5, 1, 12, 0, 0, 250)),
): Promise<TestedService> {
  let unexpected: unknown
  const reference = await createReferenceService({
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
  const ask = async (path: string, { method = 'GET', body, headers = {} }: AskOptions = {}): Promise<Answered> => {
    const url = path.startsWith(origin) ? path : `${root}${path}`
    const type = body === undefined ? {} : { 'content-type': 'application/json' }
    const init = {
      method,
      headers: { ...type, ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    }
    const response = await reference.fetch(new Request(url, init))
    const text = await response.text()
    if (response.status >= 500 && response.status !== 501)
      throw new Error(`${method} ${path}: ${text}`, { cause: unexpected })
    return { status: response.status, headers: response.headers, text: settled(text), json: parsed(text) }
  }
  return { reference, ask }
}

function settled(text: string): string {
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

/** The items of a collection's envelope. */
export function itemsOf({ json }: Answered): readonly Json[] {
  const value = memberOf(json, 'value')
  return Array.isArray(value) ? value : []
}

/** The ids of the items of a collection's envelope. */
export function idsOf(answered: Answered): readonly Json[] {
  return itemsOf(answered).map(item => memberOf(item, 'id'))
}

/** A link of a collection's envelope: `nextLink`, `deltaLink`. */
export function linkOf({ json }: Answered, name: 'nextLink' | 'deltaLink'): string | undefined {
  const link = memberOf(json, `@odata.${name}`)
  return typeof link === 'string' ? link : undefined
}
