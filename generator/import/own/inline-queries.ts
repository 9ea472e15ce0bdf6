import type { Said } from '../annotations/annotation-index.js'
import { memberOf, type RecordValue, recordsOf, textOf } from '../annotations/value.js'

/**
 * The query options that the spec writes at an endpoint, and not under a name of their own: they come last, bear the names of
 * the endpoints that alone use them, and stand in their order.
 *
 * @param names of all query options
 */
export function inlineQueries(
  said: Said,
  names: readonly string[],
  paths: readonly RecordValue[],
): ReadonlySet<string> {
  const order = new Map<string, number>()
  const users = new Map<string, string[]>()
  for (const path of paths) {
    for (const endpoint of recordsOf(memberOf(path, 'Endpoints'))) {
      const name = textOf(memberOf(endpoint, 'Name')) ?? ''
      const query = textOf(memberOf(endpoint, 'Query'))
      order.set(name, order.size)
      if (query === undefined) continue
      const known = users.get(query) ?? []
      known.push(name)
      users.set(query, known)
    }
  }
  const assumed = recordsOf(said('Specwright.Assumptions')).map(each => textOf(memberOf(each, 'Element')) ?? '')
  const isNamed = (name: string): boolean => assumed.some(element => `${element}/`.startsWith(`queryOptions/${name}/`))
  const inline = new Set<string>()
  let before = Number.POSITIVE_INFINITY
  for (const name of [...names].reverse()) {
    const [user, ...others] = users.get(name) ?? []
    const place = order.get(name) ?? -1
    if (user !== name || others.length > 0 || place >= before || isNamed(name)) break
    inline.add(name)
    before = place
  }
  return inline
}
