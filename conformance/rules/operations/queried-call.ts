import type { CallEndpoint, Meaning } from '../../../spec/language/index.js'
import type { Session } from '../../session/session.js'
import { firstOfEach } from '../../site/first-of-each.js'
import type { Site } from '../../site/site.js'

/** A site of an operation that is a query: to call it changes nothing, whatever its method. */
export interface QueriedCall extends Site {
  readonly endpoint: CallEndpoint
  readonly meaning: Meaning
}

/** The site with its meaning; absent when it is no such call. */
export function queriedCall(site: Site): QueriedCall | undefined {
  const { endpoint } = site
  const meaning = endpoint.kind === 'call' ? endpoint.operation.meaning : undefined
  return endpoint.kind === 'call' && meaning !== undefined ? { ...site, endpoint, meaning } : undefined
}

/** All of them, each operation at its first address first. */
export function queriedCalls({ sites }: Pick<Session, 'sites'>): readonly QueriedCall[] {
  const calls = sites.flatMap(site => queriedCall(site) ?? [])
  const first = new Set(firstOfEach(calls).map(({ id }) => id))
  return [...calls.filter(({ id }) => first.has(id)), ...calls.filter(({ id }) => !first.has(id))]
}
