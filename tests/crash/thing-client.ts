/** An answer of the service that is killed, or none. */
interface JsonResponse {
  readonly status: number
  readonly json: unknown
}

/**
 * Sends a request. Undefined: the service was killed meanwhile, or said with 503 that its database was, so that nobody
 * knows whether the request took effect.
 *
 * @throws Error for any other error of the service
 */
export async function sendRequest(
  url: string,
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
  body?: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<JsonResponse | undefined> {
  let status: number
  let text: string
  try {
    const type: Record<string, string> = body === undefined ? {} : { 'content-type': 'application/json' }
    const sent = body === undefined ? {} : { body: JSON.stringify(body) }
    const response = await fetch(url, { method, headers: { ...type, ...headers }, ...sent })
    status = response.status
    text = await response.text()
  } catch (error) {
    // This is how `fetch` tells of a connection that was refused or cut.
    if (error instanceof TypeError) return undefined
    throw error
  }
  if (status === 503) return undefined
  if (status >= 400 && status !== 412) throw new Error(`${method} ${url}: ${status} ${text}`)
  return { status, json: text === '' ? undefined : JSON.parse(text) }
}

/** One item of the service that is killed; `name` and `note` are always written together, and the same. */
export interface Thing {
  readonly id: string
  readonly name: string
  readonly note: string
  readonly count: number
  /** Its entity tag. */
  readonly tag: string
}

/** Reads an item of an answer. @throws TypeError when it is none */
export function thingOf(json: unknown): Thing {
  const id = textOf(json, 'id')
  const count = memberOf(json, 'count')
  if (typeof count !== 'number') throw new TypeError(`${id} has no count: ${JSON.stringify(json)}`)
  return { id, name: textOf(json, 'name'), note: textOf(json, 'note'), count, tag: textOf(json, '@odata.etag') }
}

/** A member of a JSON object, undefined when it has none of the name. */
export function memberOf(json: unknown, name: string): unknown {
  if (typeof json !== 'object' || json === null) return undefined
  return Object.entries(json).find(([key]) => key === name)?.[1]
}

/** The list in the member of a JSON object. @throws TypeError when there is none */
export function listOf(json: unknown, name: string): readonly unknown[] {
  const list = memberOf(json, name)
  if (!Array.isArray(list)) throw new TypeError(`There is no list ${name} in ${JSON.stringify(json)?.slice(0, 200)}`)
  return list
}

function textOf(json: unknown, name: string): string {
  const text = memberOf(json, name)
  if (typeof text !== 'string')
    throw new TypeError(`There is no text ${name} in ${JSON.stringify(json)?.slice(0, 200)}`)
  return text
}

/** A copy of a collection that is kept by following the links to its changes, and by nothing else. */
interface Replica {
  readonly things: ReadonlyMap<string, Thing>
  /** Follows the links to the last one; false when the service did not answer any more. */
  readonly follow: (url: string) => Promise<boolean>
}

/** An empty copy. */
export function createReplica(): Replica {
  const things = new Map<string, Thing>()
  let last = '/things/delta'
  const follow = async (url: string): Promise<boolean> => {
    for (let link = last; ; ) {
      const page = await sendRequest(rebased(link, url), 'GET')
      if (page === undefined) return false
      for (const item of listOf(page.json, 'value')) {
        if (memberOf(item, '@removed') !== undefined) things.delete(String(memberOf(item, 'id')))
        else {
          const thing = thingOf(item)
          things.set(thing.id, thing)
        }
      }
      const next = memberOf(page.json, '@odata.nextLink')
      if (typeof next !== 'string') {
        last = String(memberOf(page.json, '@odata.deltaLink'))
        return true
      }
      link = next
    }
  }
  return { things, follow }
}

/** Follows the links of a collection, from its first page to its last. */
export async function readAllThings(url: string): Promise<ReadonlyMap<string, Thing>> {
  const things = new Map<string, Thing>()
  for (let link = '/things'; ; ) {
    const page = await sendRequest(rebased(link, url), 'GET')
    if (page === undefined) throw new Error('The service ended while it was read.')
    for (const thing of listOf(page.json, 'value').map(thingOf)) {
      if (things.has(thing.id)) throw new Error(`${thing.id} came twice.`)
      things.set(thing.id, thing)
    }
    const next = memberOf(page.json, '@odata.nextLink')
    if (typeof next !== 'string') return things
    link = next
  }
}

/** The link at the service that runs now, whose port may be another than the one that gave the link. */
function rebased(link: string, url: string): string {
  if (!URL.canParse(link)) return url + link
  const { pathname, search } = new URL(link)
  return new URL(url).origin + pathname + search
}
