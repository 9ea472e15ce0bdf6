import { printQueryOptions } from '../../runtime/query/index.js'
import type { EntityType } from '../../spec/language/index.js'
import type { Site } from '../discover/site.js'
import type { TestRequest, TestResponse } from '../http/message.js'

/**
 * The responses to reads, by request, as long as nothing was written that they may show. Many checks begin with the same
 * read; the service answers it once. What confirms a violation is always read anew.
 */
export interface KnownResponses {
  /** Notes which version of the data a response shows. Undefined if it is not for others. */
  readonly note: (response: TestResponse, site: Site | undefined) => KnownResponse | undefined
  /** Adds a response. The first one to a request stays, so that it does not matter when a check asks for it. */
  readonly add: (response: KnownResponse) => void
  /**
   * A reader for one check. It returns what was known when it was created, and each response once: a check that sends a
   * request twice wants to see whether the second response is the same.
   */
  readonly reader: () => (request: TestRequest) => TestResponse | undefined
}

/** Long lists would take too much memory. */
const maxLength = 200_000
const maxResponses = 300

export interface KnownResponse {
  /** The request as text. */
  readonly name: string
  readonly response: TestResponse
  /** The types whose items it may show. Absent: any. */
  readonly type: EntityType | undefined
  /** The version of the data that it shows. */
  readonly version: object
}

/** @param currentVersion the version of the data of a type, or of all types */
export function createKnownResponses(currentVersion: (type: EntityType | undefined) => object): KnownResponses {
  const known = new Map<string, { readonly entry: KnownResponse; readonly number: number }>()
  let added = 0
  const isCurrent = ({ type, version }: KnownResponse): boolean => currentVersion(type) === version
  return {
    note: (response, site) => {
      if (!isReusable(response, site)) return undefined
      const type = shownType(response, site)
      return { name: nameOf(response.testRequest), response, type, version: currentVersion(type) }
    },
    add: entry => {
      const before = known.get(entry.name)
      if (!isCurrent(entry) || (before !== undefined && isCurrent(before.entry))) return
      known.delete(entry.name)
      if (known.size < maxResponses) known.set(entry.name, { entry, number: added++ })
    },
    reader: () => {
      const begin = added
      const taken = new Set<string>()
      return request => {
        if (!isPlainRead(request)) return undefined
        const name = nameOf(request)
        const found = known.get(name)
        if (found === undefined || found.number >= begin || taken.has(name) || !isCurrent(found.entry)) return undefined
        taken.add(name)
        return found.entry.response
      }
    },
  }
}

/** Usual responses of resources. Each read of changes may have its own state. */
function isReusable({ testRequest, transportError, status, text }: TestResponse, site: Site | undefined): boolean {
  if (site === undefined || site.endpoint.kind === 'delta' || site.endpoint.kind === 'call') return false
  if (!isPlainRead(testRequest) || transportError !== undefined) return false
  return (status === 200 || status === 400) && text.length <= maxLength
}

function isPlainRead({ method, credential = 'own', rawBody, body }: TestRequest): boolean {
  return method === 'GET' && credential === 'own' && rawBody === undefined && body === undefined
}

/** The same for requests that are sent alike. */
function nameOf({ path, options = {}, rawQuery = '', headers = {} }: TestRequest): string {
  const sent = Object.entries(headers).map(([name, value]) => `${name.toLowerCase()}: ${value}`)
  return [path, printQueryOptions(options), rawQuery, ...sent.sort()].join('\n')
}

function shownType({ testRequest: { options, rawQuery, path } }: TestResponse, site: Site | undefined): Site['type'] {
  const isPlain = rawQuery === undefined && options?.expand === undefined && !path.includes('?')
  return isPlain ? site?.type : undefined
}
