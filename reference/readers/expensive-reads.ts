import { cpuUsage } from 'node:process'
import { type AnyHandler, CompleteResponse, type Route } from '../../runtime/server/index.js'
import type { Scope, Table } from '../../sql/index.js'
import type { Store } from '../store/store.js'
import { indexedConditions, type ReadCost, readCost } from './read-cost.js'
import type { ReaderPool, ReadLimits } from './reader-pool.js'
import { matchStatistics, type TableSize, tableStatistics } from './statistics.js'

/** Wraps the handlers of reads, so that expensive ones run elsewhere. */
interface ExpensiveReads {
  /** The store for the handlers that are wrapped. It notes who had a read that took long. */
  readonly store: Store
  /** @param handler answers with the store above */
  readonly wrap: (route: Route, scope: Scope, handler: AnyHandler) => AnyHandler
}

/** A read on the main connection that took longer, in milliseconds, was expensive, whatever its estimate said. */
const slowRead = 25
/** For so many milliseconds after that, the other reads of its principal run in a reader thread, too. */
const slowPeriod = 5_000
/** The principals that are remembered. */
const maxPrincipals = 10_000

/** The headers that the server core reads. Those of the conditions of a query are read, too. */
const headerNames = [
  'accept',
  'prefer',
  'if-match',
  'if-none-match',
  'odata-version',
  'odata-maxversion',
  'client-request-id',
] as const

/**
 * Decides for each read where it runs: a cheap one at once, on the main connection; an expensive one in a reader thread. A read of
 * one item is cheap unless it expands relations. Reads in a transaction stay in it.
 */
export function createExpensiveReads(store: Store, pool: ReaderPool, { directCost }: ReadLimits): ExpensiveReads {
  const statistics = tableStatistics(store)
  // On a busy machine, a read can take long without working. So the first one makes its principal a suspect, whose reads are
  // measured in processor time, which takes longer to measure.
  const suspects = createPeriods()
  const slow = createPeriods()
  let caller = ''
  const estimate = (costOf: ReadCost, call: Parameters<AnyHandler>[0], found?: number): number | readonly Table[] => {
    const unknown = new Set<Table>()
    const sizeOf = (table: Table): TableSize => {
      const size = statistics.known(table)
      if (size === undefined) unknown.add(table)
      return size ?? { rows: 0, rowBytes: 0 }
    }
    const cost = costOf(call, sizeOf, found)
    return unknown.size === 0 ? cost : [...unknown]
  }
  // A handler calls the engine synchronously, so that the caller is still the one that was noted. An embedded engine answers
  // without waiting for anything but itself.
  const isEmbedded = store.engine.dialect.name === 'sqlite'
  const engine: Store['engine'] = isEmbedded
    ? {
        ...store.engine,
        read: work => {
          const principal = caller
          return store.engine.read(async session => {
            const before = suspects.includes(principal) ? cpuUsage() : undefined
            const start = performance.now()
            try {
              return await work(session)
            } finally {
              if (performance.now() - start > slowRead) {
                if (before !== undefined && cpuUsage(before).user > slowRead * 1_000) slow.begin(principal)
                suspects.begin(principal)
              }
            }
          })
        },
      }
    : store.engine
  return {
    store: { ...store, engine },
    wrap: (route, scope, handler) => {
      if (route.method !== 'GET') return handler
      const costOf = readCost(route, scope, store)
      const matches = matchStatistics(scope, store)
      const names = [...headerNames, ...(route.query?.requires ?? []).map(({ header }) => header.name.toLowerCase())]
      const here: AnyHandler = call => {
        caller = call.principal.id
        return handler(call)
      }
      const there = async (call: Parameters<AnyHandler>[0]): Promise<CompleteResponse> => {
        const { method, url, headers, signal } = call.request
        const given = names.flatMap(name => {
          const value = headers.get(name)
          return value === null ? [] : [[name, value] as const]
        })
        const { id, scopes } = call.principal
        const request = {
          method,
          url,
          headers: Object.fromEntries(given),
          principal: { id, scopes },
          now: store.now().getTime(),
        }
        return new CompleteResponse(await pool.run({ request, signal }))
      }
      /** An index can find far fewer rows than the table has. */
      const whereFound = async (call: Parameters<AnyHandler>[0]): Promise<AnyHandler> => {
        if (route.kind === 'item') return there
        const found = await matches(call, indexedConditions(call.template, scope.type))
        const estimated = found === undefined ? undefined : estimate(costOf, call, found)
        return typeof estimated === 'number' && estimated <= directCost ? here : there
      }
      return call => {
        const { expand, compute } = call.query
        const isItem = route.kind === 'item' && expand === undefined && compute === undefined
        if (isItem || store.isAtomic()) return here(call)
        if (slow.includes(call.principal.id)) return there(call)
        const estimated = estimate(costOf, call)
        if (typeof estimated === 'number')
          return estimated <= directCost ? here(call) : whereFound(call).then(run => run(call))
        return Promise.all(estimated.map(statistics.measure)).then(async () => {
          const again = estimate(costOf, call)
          return typeof again === 'number' && again <= directCost ? here(call) : (await whereFound(call))(call)
        })
      }
    },
  }
}

/** Principals, each for a period that begins again and again. */
function createPeriods(): {
  readonly begin: (principal: string) => void
  readonly includes: (principal: string) => boolean
} {
  const ends = new Map<string, number>()
  return {
    begin: principal => {
      if (ends.size >= maxPrincipals) ends.clear()
      ends.set(principal, performance.now() + slowPeriod)
    },
    includes: principal => {
      const end = ends.size === 0 ? undefined : ends.get(principal)
      if (end === undefined) return false
      if (end > performance.now()) return true
      ends.delete(principal)
      return false
    },
  }
}
