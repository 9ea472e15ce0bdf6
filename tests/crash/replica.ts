import { exchange } from './exchange.js'
import { listOf, memberOf, type Thing, thingOf } from './thing.js'

/** A copy of a collection that is kept by following the links to its changes, and by nothing else. */
export interface Replica {
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
      const page = await exchange(at(link, url), 'GET')
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
export async function everything(url: string): Promise<ReadonlyMap<string, Thing>> {
  const things = new Map<string, Thing>()
  for (let link = '/things'; ; ) {
    const page = await exchange(at(link, url), 'GET')
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
function at(link: string, url: string): string {
  if (!URL.canParse(link)) return url + link
  const { pathname, search } = new URL(link)
  return new URL(url).origin + pathname + search
}
