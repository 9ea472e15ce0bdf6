import type { Expression } from '../../../runtime/query/index.js'
import { type EntityType, isSamePath } from '../../../spec/language/index.js'
import { keyOf, type Site } from '../../discover/site.js'
import type { TestResponse } from '../../http/message.js'
import { isRow, type Row } from '../../json.js'
import { primitiveOf } from '../../lists/properties.js'
import { readItem } from '../../lists/read-rows.js'
import { findOrderViolation, sortKeysOf, sortValues, timestampsMayBeFiner } from '../../lists/sort-order.js'
import { comparisonSemanticsOf } from '../../oracle/comparison-semantics.js'
import { truthOn } from '../../oracle/evaluate.js'
import { isTrue, type TruthSet } from '../../oracle/truth-set.js'
import type { Finding } from '../../rule/verdict.js'
import type { Session } from '../../session/session.js'
import { type Arguments, bindArguments, isMadeUp, type QueryCall } from './call.js'
import { reachable, relationGraph, setOf } from './relation-graph.js'

/** What a result must contain and what it may contain: keys, or the values that the operation returns. */
interface ExpectedResult {
  readonly must: ReadonlySet<string>
  readonly may: ReadonlySet<string>
}

/**
 * The expected result.
 *
 * @param keys the items to which the filter of the operation applies
 */
export function expectedResult(
  call: QueryCall,
  given: Arguments,
  keys: ReadonlySet<string>,
  { rows }: RelatedItems,
  session: Session,
): ExpectedResult {
  const { meaning, endpoint } = call
  const filter = meaning.filter === undefined ? undefined : bindArguments(meaning.filter, endpoint.operation, given)
  const evaluate = filter === undefined ? undefined : truthOf(filter, meaning.of.type, rows.values(), session)
  const must = new Set<string>()
  const may = new Set<string>()
  for (const key of keys) {
    const row = rows.get(key)
    const value = row === undefined ? undefined : resultKeyOfRow(row, call)
    if (row === undefined || value === undefined) {
      // Nothing is known of an item that was not harvested: it may be in the result or not.
      if (row === undefined) may.add(key)
      continue
    }
    const truth = evaluate === undefined ? isTrue : evaluate(row)
    if (truth & isTrue) may.add(value)
    if (truth === isTrue) must.add(value)
  }
  return { must, may }
}

/** The truth set of an operation's filter on a row. */
export function truthOf(
  filter: Expression,
  type: EntityType,
  rows: Iterable<Row>,
  session: Pick<Session, 'service' | 'choices' | 'types'>,
): (row: Row) => TruthSet {
  const semantics = comparisonSemanticsOf(session)
  const properties = new Set([...rows].flatMap(row => Object.keys(row)))
  return truthOn(filter, {
    semantics: timestampsMayBeFiner(session)
      ? { ...semantics, instantsAreFiner: { possible: true, certain: false } }
      : semantics,
    types: session.types,
    type: type.name,
    properties,
    now: Date.now(),
  })
}

/**
 * The values of a result that cannot be in it, whatever is related to the item: those of items for which the filter is false,
 * and those that the suite made up.
 */
export function impossibleValues(
  shown: readonly string[],
  call: QueryCall,
  given: Arguments,
  { rows }: RelatedItems,
  session: Session,
): readonly string[] {
  const { meaning, endpoint } = call
  const filter = meaning.filter === undefined ? undefined : bindArguments(meaning.filter, endpoint.operation, given)
  if (filter === undefined) return shown.filter(isMadeUp)
  const evaluate = truthOf(filter, meaning.of.type, rows.values(), session)
  const impossible = new Set<string>()
  for (const row of rows.values()) {
    const value = resultKeyOfRow(row, call)
    if (value !== undefined && (evaluate(row) & isTrue) === 0) impossible.add(value)
  }
  return shown.filter(value => impossible.has(value) || isMadeUp(value))
}

/** Missing and surplus values of a result. */
export function differencesOf(
  shown: readonly string[],
  { must, may }: ExpectedResult,
  complete: boolean,
): { readonly missing: readonly string[]; readonly surplus: readonly string[] } {
  const given = new Set(shown)
  return {
    missing: [...must].filter(value => !given.has(value)),
    surplus: complete ? [...given].filter(value => !may.has(value)) : [],
  }
}

function resultKeyOfRow(row: Row, { meaning }: QueryCall): string | undefined {
  if (meaning.value === undefined) return keyOf(row, meaning.of.type)
  const value = Object.hasOwn(row, meaning.value.name) ? row[meaning.value.name] : undefined
  return value === undefined || value === null ? undefined : String(value)
}

/** The key or value that identifies an item of a result. */
export function resultKey(value: unknown, call: QueryCall): string {
  const { value: property } = call.meaning
  if (property !== undefined) {
    // A number is not a string, even if both print the same.
    const isText = primitiveOf(property.type) === 'String'
    return isText && typeof value !== 'string' ? `${JSON.stringify(value)}, which is not a string` : String(value)
  }
  return (isRow(value) ? keyOf(value, call.meaning.of.type) : undefined) ?? JSON.stringify(value)
}

/** The items from which an operation selects: those that its relation leads to from the binding item. */
interface RelatedItems {
  /** Items that may be related. Absent if there may be others. */
  readonly atMost?: ReadonlySet<string>
  /** The exact set of related items under each permitted interpretation. */
  readonly readings: readonly ReadonlySet<string>[]
  readonly rows: ReadonlyMap<string, Row>
}

/** Harvested items from which a call may select: those of the same relation of the same item, or else of the whole type. */
export function knownRows(call: QueryCall, session: Session): readonly Row[] {
  const site = (call.meaning.transitive ? undefined : pathSite(call, session)) ?? setOf(call.meaning.of.type, session)
  return (site === undefined ? undefined : session.snapshot(site)?.rows) ?? []
}

/** Whether the items of an operation can be read without calling it. */
export function canReadRelated(call: QueryCall, session: Session): boolean {
  return setOf(call.meaning.of.type, session) !== undefined || pathSite(call, session) !== undefined
}

/** Reads the items from which a call selects. Undefined if the interface does not show them. */
export async function readRelatedItems(call: QueryCall, session: Session): Promise<RelatedItems | undefined> {
  const { meaning } = call
  const own = meaning.transitive ? undefined : pathSite(call, session)
  const rows = own === undefined ? undefined : session.snapshot(own)
  if (rows !== undefined) {
    const keys = new Set(rows.byKey.keys())
    return { ...(rows.complete ? { atMost: keys } : {}), readings: [keys], rows: rows.byKey }
  }
  const set = setOf(meaning.of.type, session)
  const snapshot = set === undefined ? undefined : session.snapshot(set)
  const binding = call.endpoint.operation.binding?.type
  const start = await startKey(call, session)
  if (snapshot === undefined || binding?.kind !== 'entityType' || start === undefined) return undefined
  const graph = await relationGraph(meaning.of, binding, session)
  if (graph === undefined) return undefined
  const { direct, all } = reachable(start, graph)
  const closures = meaning.transitive ? closuresOf(call, session) : ['direct']
  const readings = closures.map(closure => (closure === 'direct' ? direct : all))
  const atMost = readings.includes(all) ? all : direct
  const complete = graph.complete && snapshot.complete
  return { ...(complete ? { atMost } : {}), readings, rows: snapshot.byKey }
}

const closuresByRun = new WeakMap<object, Map<string, readonly string[]>>()

/**
 * How an operation may follow a relation: to the related items only, or on to those of these. Each operation of a service may
 * do so in its own way, but always in the same one.
 */
function closuresOf(call: QueryCall, session: Session): readonly string[] {
  const known = closuresByRun.get(session.run)?.get(call.endpoint.operation.name)
  const legal = session.service.open.find(({ name }) => name === 'membershipClosure')?.legal.map(String)
  return known ?? ['transitive', 'direct'].filter(each => legal?.includes(each) ?? each === 'transitive')
}

/** Records which readings explain a result of an operation: later results must follow one of them. */
export function recordClosures(call: QueryCall, session: Session, isExplained: (reading: number) => boolean): void {
  if (!call.meaning.transitive) return
  const left = closuresOf(call, session).filter((_, reading) => isExplained(reading))
  if (left.length === 0) return
  const known = closuresByRun.get(session.run) ?? new Map<string, readonly string[]>()
  closuresByRun.set(session.run, known.set(call.endpoint.operation.name, left))
}

/** The collection that reads the same relation of the same item. */
function pathSite({ endpoint, meaning, keys }: QueryCall, { sites }: Session): Site | undefined {
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

/** The key of the binding item, from the path or from the singleton. */
async function startKey(call: QueryCall, session: Session): Promise<string | undefined> {
  const { endpoint, keys, path } = call
  const binding = endpoint.operation.binding?.type
  const before = endpoint.resolved.at(-2)
  if (before?.kind === 'key') return before.variables.map(variable => keys[variable] ?? '').join('\u001F')
  if (binding?.kind !== 'entityType') return undefined
  const response = await readItem(path.slice(0, path.lastIndexOf('/')), binding, session)
  if (response.status !== 200 || !isRow(response.json)) return undefined
  return keyOf(response.json, binding)
}

/** A finding if the result is not in the declared order. */
export function disorderFinding(
  values: readonly unknown[],
  { meaning, endpoint }: QueryCall,
  answers: readonly TestResponse[],
  session: Session,
): Finding | undefined {
  const { orderby, of, value, assumed } = meaning
  // An assumed order is not part of the interface.
  const isOpen = orderby === undefined || value !== undefined || assumed !== undefined
  const keys = isOpen ? undefined : sortKeysOf({ orderby }, of.type)
  const rows = values.filter(isRow)
  if (keys === undefined || rows.length !== values.length) return undefined
  const sorted = rows.map(row => sortValues(row, keys, undefined))
  const disorder = findOrderViolation(sorted, keys, session)
  if (disorder === undefined) return undefined
  const { before, after, key } = disorder
  return {
    message: `The operation ${endpoint.operation.name} does not return its items in the declared order.`,
    expected: `${key.leaf.path.join('/')} ${key.direction}`,
    received: `${JSON.stringify(sorted[before])} before ${JSON.stringify(sorted[after])}`,
    answers,
    features: [`operation.${endpoint.operation.name}`, 'order'],
  }
}
