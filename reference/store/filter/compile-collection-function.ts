import { sql } from 'kysely'
import type { Sql } from '../dialect/dialect.js'
import { allOf } from './combine.js'
import { comparison } from './compile-comparison.js'
import type { Frame } from './frame.js'
import { type ItemSequence, itemSequences } from './item-sequence.js'
import type { Operand } from './operand.js'

/** Functions of two collections: those of collections alone, and those that texts have, too. */
export type CollectionFunction = 'hassubset' | 'hassubsequence' | 'contains' | 'startswith' | 'endswith' | 'indexof'

/**
 * What a function of two collections of primitive values gives, a Boolean or a position; null where one of the collections
 * is. Their items are compared as `eq` does: null equals null.
 *
 * @see OData 4.01 URL Conventions, 5.1.1.5 and 5.1.1.6
 */
export function collectionFunction(name: CollectionFunction, whole: Operand, part: Operand, frame: Frame): Sql {
  if (whole.kind === 'null' || part.kind === 'null') return sql`NULL`
  const [a, b] = itemSequences(whole, part, name, frame)
  const found = sql`(WITH RECURSIVE ${a.definition}, ${b.definition}${work[name](a, b, frame)})`
  const present = [a.present, b.present].filter(condition => condition !== undefined)
  return present.length === 0 ? found : sql`CASE WHEN ${allOf(present)} THEN ${found} END`
}

/** Whether an operand has items. */
export function isCollection({ kind }: Operand): boolean {
  return kind === 'items' || kind === 'targets' || kind === 'list' || kind === 'parameter'
}

const work: Readonly<Record<CollectionFunction, (whole: ItemSequence, part: ItemSequence, frame: Frame) => Sql>> = {
  // As often as the part has an item, the whole has it.
  hassubset: (whole, part, frame) => {
    const occurrences = sql`SELECT count(*) FROM ${whole.name} AS w WHERE ${equal(whole, part, frame)}`
    const wanted = sql`SELECT v, count(*) AS c FROM ${part.name} GROUP BY v`
    return sql` SELECT NOT EXISTS (SELECT 1 FROM (${wanted}) AS p WHERE (${occurrences}) < p.c)`
  },
  // Step by step: the first place of each item of the part behind that of the one before.
  hassubsequence: (whole, part, frame) => {
    const next = sql`SELECT min(w.n) FROM ${whole.name} AS w, ${part.name} AS p WHERE p.n = s.k AND w.n > s.n AND ${equal(whole, part, frame)}`
    const size = sql`(SELECT count(*) FROM ${part.name})`
    const steps = sql.id(frame.alias())
    return sql`, ${steps} (k, n) AS (SELECT CAST(0 AS bigint), CAST(-1 AS bigint) UNION ALL SELECT s.k + 1, (${next}) FROM ${steps} AS s WHERE s.n IS NOT NULL AND s.k < ${size}) SELECT EXISTS (SELECT 1 FROM ${steps} AS s WHERE s.k = ${size} AND s.n IS NOT NULL)`
  },
  contains: (whole, part, frame) => sql` SELECT EXISTS (${places(whole, part, frame)})`,
  indexof: (whole, part, frame) =>
    sql` SELECT coalesce((SELECT min(o.n) FROM (${places(whole, part, frame)}) AS o), -1)`,
  startswith: (whole, part, frame) => sql` SELECT ${standsAt(sql.lit(0), whole, part, frame)}`,
  endswith: (whole, part, frame) => {
    const start = sql`((SELECT count(*) FROM ${whole.name}) - (SELECT count(*) FROM ${part.name}))`
    return sql` SELECT ${standsAt(start, whole, part, frame)}`
  },
}

/** The places at which all items of the part follow one another; an empty part stands everywhere. */
function places(whole: ItemSequence, part: ItemSequence, frame: Frame): Sql {
  const candidates = sql`SELECT n FROM ${whole.name} UNION SELECT 0`
  return sql`SELECT c.n FROM (${candidates}) AS c WHERE ${standsAt(sql`c.n`, whole, part, frame)}`
}

function standsAt(place: Sql, whole: ItemSequence, part: ItemSequence, frame: Frame): Sql {
  const same = sql`SELECT 1 FROM ${whole.name} AS w WHERE w.n = p.n + ${place} AND ${equal(whole, part, frame)}`
  return sql`NOT EXISTS (SELECT 1 FROM ${part.name} AS p WHERE NOT EXISTS (${same}))`
}

function equal(whole: ItemSequence, part: ItemSequence, frame: Frame): Sql {
  return comparison('eq', whole.item('w'), part.item('p'), frame)
}
