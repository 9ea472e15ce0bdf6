import { isRow } from '../../is-row.js'
import type { Row } from '../../json.js'
import { openTo } from '../../reading/choice-of.js'
import { itemRead } from '../../reading/item-read.js'
import type { Session } from '../../session/session.js'
import { isSamePath } from '../../site/is-same-path.js'
import { keyOf } from '../../site/key-of.js'
import type { Site } from '../../site/site.js'
import type { QueriedCall } from './queried-call.js'
import { reachable, relationGraph, setOf } from './relation-graph.js'

/** What a meaning starts from: the items that its relation leads to from the item that the operation is bound to. */
export interface Related {
  /** Those that it leads to for sure, under every legal reading. */
  readonly surely: ReadonlySet<string>
  /** Those that it may lead to; absent when others may be there, too. */
  readonly atMost?: ReadonlySet<string>
  /** With another reading of how far the relation goes: all of these and no others. */
  readonly readings: readonly ReadonlySet<string>[]
  readonly rows: ReadonlyMap<string, Row>
}

/** Whether the rows behind an operation can be read without it. */
export function isReadable(call: QueriedCall, session: Session): boolean {
  return setOf(call.meaning.of.type, session) !== undefined || pathSite(call, session) !== undefined
}

/** Reads what a call starts from; absent when the interface does not show it. */
export async function related(call: QueriedCall, session: Session): Promise<Related | undefined> {
  const { meaning } = call
  const own = meaning.transitive ? undefined : pathSite(call, session)
  const rows = own === undefined ? undefined : session.snapshot(own)
  if (rows !== undefined) {
    const keys = new Set(rows.byKey.keys())
    return { surely: keys, ...(rows.complete ? { atMost: keys } : {}), readings: [keys], rows: rows.byKey }
  }
  const set = setOf(meaning.of.type, session)
  const snapshot = set === undefined ? undefined : session.snapshot(set)
  const binding = call.endpoint.operation.binding?.type
  const start = await startKey(call, session)
  if (snapshot === undefined || binding?.kind !== 'entityType' || start === undefined) return undefined
  const graph = await relationGraph(meaning.of, binding, session)
  if (graph === undefined) return undefined
  const { direct, all } = reachable(start, graph)
  const closure = openTo(session, 'membershipClosure', 'transitive')
  const readings = [
    ...(meaning.transitive && closure.may('transitive') ? [all] : []),
    ...(!meaning.transitive || closure.may('direct') ? [direct] : []),
  ]
  const surely = readings.includes(direct) ? direct : all
  const atMost = readings.includes(all) ? all : direct
  const complete = graph.complete && snapshot.complete
  return { surely, ...(complete ? { atMost } : {}), readings, rows: snapshot.byKey }
}

/** The collection that the relation's own path reads, from the same item. */
function pathSite({ endpoint, meaning, keys }: QueriedCall, { sites }: Session): Site | undefined {
  const binding = endpoint.resolved.slice(0, -1)
  return sites.find(site => {
    const { kind, resolved } = site.endpoint
    const last = resolved.at(-1)
    if (kind !== 'collection' || last?.kind !== 'navigation' || last.property !== meaning.of) return false
    if (!isSamePath(resolved.slice(0, -1), binding)) return false
    const [left, right] = [Object.values(site.keys), Object.values(keys)]
    return left.length === right.length && left.every((value, index) => value === right[index])
  })
}

/** The key of the item that a call is bound to: of its path, or of the singleton. */
async function startKey(call: QueriedCall, session: Session): Promise<string | undefined> {
  const { endpoint, keys, path } = call
  const binding = endpoint.operation.binding?.type
  const before = endpoint.resolved.at(-2)
  if (before?.kind === 'key') return before.variables.map(variable => keys[variable] ?? '').join('\u001F')
  if (binding?.kind !== 'entityType') return undefined
  const answer = await itemRead(path.slice(0, path.lastIndexOf('/')), binding, session)
  if (answer.status !== 200 || !isRow(answer.json)) return undefined
  return keyOf(answer.json, binding)
}
