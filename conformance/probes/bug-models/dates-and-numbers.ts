import type { Row } from '../../json.js'
import { instantOf, instantText, ticksInDay, ticksInSecond } from '../../oracle/temporal.js'
import { isFalse, isNull, isTrue, type TruthSet, truthOfBoolean } from '../../oracle/truth-set.js'
import { valueAt } from '../observed-values.js'
import { type BugModel, rewriteBug } from './bug-model.js'

/** Replaces timestamp literals. */
function shifted(id: string, description: string, change: (ticks: bigint) => bigint): BugModel {
  return rewriteBug(id, description, ['DateTimeOffset'], part => {
    const instant = part.kind === 'literal' && part.type === 'DateTimeOffset' ? instantOf(part.value) : undefined
    if (instant === undefined || part.kind !== 'literal' || part.type !== 'DateTimeOffset') return undefined
    const ticks = change(instant.ticks)
    return ticks === instant.ticks ? undefined : { ...part, value: instantText(ticks) }
  })
}

/** Replaces how a property is compared with a literal. */
function comparing(
  id: string,
  description: string,
  types: ReadonlySet<string>,
  compare: (value: unknown, literal: string) => number | undefined,
  only?: string,
): BugModel {
  return {
    id,
    description,
    affects: [...types],
    evaluateRow: filter => {
      if (filter.kind !== 'binary' || filter.left.kind !== 'path' || filter.left.root !== undefined) return undefined
      const { right, operator } = filter
      if (right.kind !== 'literal' || typeof right.value !== 'string' || !types.has(right.type)) return undefined
      const holds = comparisons[operator]
      if (holds === undefined || (only !== undefined && operator !== only)) return undefined
      const path = filter.left.segments.flatMap(segment => (segment.kind === 'property' ? [segment.name] : []))
      const literal = right.value
      return (row: Row): TruthSet => {
        const value = valueAt(row, path)
        if (value === null) return isFalse | isNull | (operator === 'ne' ? isTrue : 0)
        const sign = compare(value, literal)
        return sign === undefined ? isTrue | isFalse | isNull : truthOfBoolean(holds(sign))
      }
    },
  }
}

const comparisons: Readonly<Record<string, ((sign: number) => boolean) | undefined>> = Object.assign(
  Object.create(null),
  {
    eq: (sign: number) => sign === 0,
    ne: (sign: number) => sign !== 0,
    gt: (sign: number) => sign > 0,
    ge: (sign: number) => sign >= 0,
    lt: (sign: number) => sign < 0,
    le: (sign: number) => sign <= 0,
  },
)

const dateTimeTypes: ReadonlySet<string> = new Set(['DateTimeOffset'])
const numberTypes: ReadonlySet<string> = new Set(['Integer', 'Decimal'])

function truncatedTo(unit: bigint): (value: unknown, literal: string) => number | undefined {
  return (value, literal) => {
    const a = typeof value === 'string' ? instantOf(value) : undefined
    const b = instantOf(literal)
    if (a === undefined || b === undefined) return undefined
    return Number(a.ticks - (a.ticks % unit) - (b.ticks - (b.ticks % unit)))
  }
}

function byText(value: unknown, literal: string): number {
  const text = String(value)
  return text < literal ? -1 : text > literal ? 1 : 0
}

/** Bugs that misread or miscompare timestamps and numbers. */
export const dateAndNumberBugs: readonly BugModel[] = [
  shifted(
    'literal-without-fraction',
    'the filter drops fractions of seconds',
    ticks => ticks - (ticks % ticksInSecond),
  ),
  shifted('literal-without-time', 'the filter drops the time of day', ticks => ticks - (ticks % ticksInDay)),
  shifted('zone-plus-one', 'timestamps in the filter are off by an hour', ticks => ticks + 3600n * ticksInSecond),
  shifted('zone-plus-two', 'timestamps in the filter are off by two hours', ticks => ticks + 7200n * ticksInSecond),
  shifted('zone-minus-one', 'timestamps in the filter are off by an hour', ticks => ticks - 3600n * ticksInSecond),
  shifted(
    'zone-minus-five',
    'timestamps in the filter are off by five hours',
    ticks => ticks - 5n * 3600n * ticksInSecond,
  ),
  comparing('moments-by-second', 'timestamps are compared by whole seconds', dateTimeTypes, truncatedTo(ticksInSecond)),
  comparing(
    'moments-by-minute',
    'timestamps are compared by whole minutes',
    dateTimeTypes,
    truncatedTo(60n * ticksInSecond),
  ),
  comparing('moments-by-day', 'timestamps are compared by day', dateTimeTypes, truncatedTo(ticksInDay)),
  comparing('gt-by-day', 'gt compares by day', dateTimeTypes, truncatedTo(ticksInDay), 'gt'),
  comparing('le-by-day', 'le compares by day', dateTimeTypes, truncatedTo(ticksInDay), 'le'),
  comparing('moments-as-text', 'timestamps are compared as text', dateTimeTypes, byText),
  comparing('numbers-as-text', 'numbers are compared as text', numberTypes, byText),
  {
    id: 'enums-by-other-order',
    description: 'enumerations are compared by name instead of value, or vice versa',
    semantics: semantics => ({
      ...semantics,
      enumsOrderByName: { possible: !semantics.enumsOrderByName.certain, certain: !semantics.enumsOrderByName.certain },
    }),
    isAffected: part => part.kind === 'binary' && ['gt', 'ge', 'lt', 'le'].includes(part.operator),
  },
]
