/** A response of the service. */
interface JsonResponse {
  readonly status: number
  readonly json: unknown
}

/**
 * Sends a request. Undefined means that the service was killed, or that it reported with 503 that its database was killed: the
 * request may or may not have taken effect.
 *
 * @throws {Error} for any other error of the service
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
    // `fetch` reports a refused or broken connection this way.
    if (error instanceof TypeError) return undefined
    throw error
  }
  if (status === 503) return undefined
  if (status >= 400 && status !== 412) throw new Error(`${method} ${url}: ${status} ${text}`)
  return { status, json: text === '' ? undefined : JSON.parse(text) }
}

/** An item of the service. Writes always set `name` and `note` to the same text. */
export interface Thing {
  readonly id: string
  readonly name: string
  readonly note: string
  readonly count: number
  /** Its entity tag. */
  readonly tag: string
}

/** Reads an item from a response. @throws {TypeError} if it is malformed */
export function thingOf(json: unknown): Thing {
  const id = textOf(json, 'id')
  const count = memberOf(json, 'count')
  if (typeof count !== 'number') throw new TypeError(`${id} has no count: ${JSON.stringify(json)}`)
  return { id, name: textOf(json, 'name'), note: textOf(json, 'note'), count, tag: textOf(json, '@odata.etag') }
}

/** A member of a JSON object; undefined if it does not exist. */
export function memberOf(json: unknown, name: string): unknown {
  if (typeof json !== 'object' || json === null) return undefined
  return Object.entries(json).find(([key]) => key === name)?.[1]
}

/** The array in a member of a JSON object. @throws {TypeError} if there is none */
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

/** A copy of a collection that uses only delta links. */
interface Replica {
  readonly things: ReadonlyMap<string, Thing>
  /** Follows next links to the delta link; false if the service did not respond. */
  readonly follow: (url: string) => Promise<boolean>
}

/** Creates an empty copy. */
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

/** Reads all pages of a collection. */
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

/** The link with the address of the current process, whose port may differ from that of the process that issued the link. */
function rebased(link: string, url: string): string {
  if (!URL.canParse(link)) return url + link
  const { pathname, search } = new URL(link)
  return new URL(url).origin + pathname + search
}
