import { PrintError, printQueryOptions } from '../query/index.js'
import { Failure, isRequestFault } from './errors.js'
import type { CompiledRoute } from './exchange.js'
import type { FindRelatedList, Principal, RelatedList } from './handler.js'
import type { RequestHead } from './http/message.js'
import { nextLinkOptions } from './planning/related-scopes.js'
import { keyLiteral } from './response/context-url.js'
import { splitPath } from './routing/path.js'
import { type Router, readKeys } from './routing/router.js'
import { requireConditions, requireScopes } from './serve-route.js'
import { keyProperties, type ServiceTable } from './service-table.js'
import { JsonText } from './value/primitive-values.js'

/** The request that wants to continue lists elsewhere. */
interface ContinuedRequest {
  readonly head: RequestHead
  readonly principal: Principal
  readonly serviceUrl: string
}

/**
 * Finds the lists in which the expanded collections of a response can go on: the caller may read them, and they accept the
 * options that the collection has in `$expand`.
 *
 * @see OData JSON Format 4.01, 8.3 (expanded navigation property: `nextLink`)
 */
export function relatedListFinder(
  router: Router<CompiledRoute>,
  table: ServiceTable,
): (request: ContinuedRequest) => FindRelatedList {
  return ({ head, principal, serviceUrl }) =>
    (path, relation, options) => {
      const segments = splitPath(path)
      const match = segments === undefined ? undefined : router.match(segments)
      const compiled = match?.resource.targets.get('GET')
      if (match === undefined || compiled?.handler === undefined) return undefined
      // A cast with a key, `ns.type('x')`, would be read as the key of an item before it.
      if (match.keys.some(({ form, text }) => form === 'segment' && text.endsWith(')'))) return undefined
      const { route } = compiled
      const last = route.resource.at(-1)
      if (route.kind !== 'collection' || last?.kind !== 'navigation' || last.name !== relation) return undefined
      return acceptedOnly((): RelatedList | undefined => {
        const query = printQueryOptions(options)
        // In another list, `$it` is another item.
        if (/\$it\b/.test(query)) return undefined
        requireScopes(principal, route.scopes, table)
        const plan = compiled.plan(query)
        for (const scopes of plan.scopes) requireScopes(principal, scopes, table)
        requireConditions(plan.conditions, head)
        return {
          route,
          principal,
          keys: readKeys(match.keys, compiled.variables, table),
          template: plan.template,
          link: skipToken => {
            const token = skipToken === undefined ? [] : [`$skiptoken=${encodeURIComponent(skipToken)}`]
            const given = skipToken === undefined ? query : nextLinkOptions(query)
            const text = [...(given === '' ? [] : [given]), ...token].join('&')
            const target = text === '' ? path : `${path}?${text}`
            const root = new URL(serviceUrl).pathname.length
            return root + target.length > table.limits.url ? undefined : serviceUrl + target
          },
        }
      })
    }
}

/** Undefined if a check of the request refuses it. */
function acceptedOnly<Value>(work: () => Value): Value | undefined {
  try {
    return work()
  } catch (error) {
    if (isRequestFault(error) || error instanceof Failure || error instanceof PrintError) return undefined
    throw error
  }
}

/**
 * The key of an item as the end of a path, `('x')` or `(a='x',b=2)`. Undefined: the row has not the whole key.
 *
 * @see OData URL Conventions 4.01, 4.3.1
 */
export function keyPredicate(
  row: Readonly<Record<string, unknown>>,
  typeName: string,
  { types }: Pick<ServiceTable, 'types'>,
): string | undefined {
  const key = keyProperties(types, typeName) ?? []
  const literals: string[] = []
  for (const { name, type } of key) {
    const value = Object.hasOwn(row, name) ? row[name] : undefined
    if (value === undefined || value === null) return undefined
    const literal = keyLiteral(value instanceof JsonText ? value.text : value, type)
    literals.push(key.length === 1 ? literal : `${name}=${literal}`)
  }
  return literals.length === 0 ? undefined : `(${literals.join(',')})`
}
