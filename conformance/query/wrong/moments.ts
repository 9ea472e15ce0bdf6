import type { Row } from '../../json.js'
import { instantOf, instantText, ticksInDay, ticksInSecond } from '../../semantics/temporal.js'
import { isFalse, isNull, isTrue, type Truth, truthOf } from '../../semantics/truth.js'
import { valueAt } from '../value-at.js'
import { rewritten } from './rewrite.js'
import type { WrongInterpreter } from './wrong-interpreter.js'

/** Literals that are other moments. */
function shifted(id: string, says: string, change: (ticks: bigint) => bigint): WrongInterpreter {
  return {
    id,
    says,
    signs: ['DateTimeOffset'],
    atom: filter =>
      rewritten(filter, part => {
        const instant = part.kind === 'literal' && part.type === 'DateTimeOffset' ? instantOf(part.value) : undefined
        if (instant === undefined || part.kind !== 'literal' || part.type !== 'DateTimeOffset') return undefined
        const ticks = change(instant.ticks)
        return ticks === instant.ticks ? undefined : { ...part, value: instantText(ticks) }
      }),
  }
}

/** Comparisons of a property with a literal that are made of something else than the values. */
function comparing(
  id: string,
  says: string,
  types: ReadonlySet<string>,
  compare: (value: unknown, literal: string) => number | undefined,
  only?: string,
): WrongInterpreter {
  return {
    id,
    says,
    signs: [...types],
    truth: filter => {
      if (filter.kind !== 'binary' || filter.left.kind !== 'path' || filter.left.root !== undefined) return undefined
      const { right, operator } = filter
      if (right.kind !== 'literal' || typeof right.value !== 'string' || !types.has(right.type)) return undefined
      const holds = comparisons[operator]
      if (holds === undefined || (only !== undefined && operator !== only)) return undefined
      const path = filter.left.segments.flatMap(segment => (segment.kind === 'property' ? [segment.name] : []))
      const literal = right.value
      return (row: Row): Truth => {
        const value = valueAt(row, path)
        if (value === null) return isFalse | isNull | (operator === 'ne' ? isTrue : 0)
        const sign = compare(value, literal)
        return sign === undefined ? isTrue | isFalse | isNull : truthOf(holds(sign))
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

const moments: ReadonlySet<string> = new Set(['DateTimeOffset'])
const numbers: ReadonlySet<string> = new Set(['Integer', 'Decimal'])

function coarse(unit: bigint): (value: unknown, literal: string) => number | undefined {
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

/** Moments and numbers that are misread or compared as something else. */
export const wrongMoments: readonly WrongInterpreter[] = [
  shifted(
    'literal-without-fraction',
    'fractions of seconds in the filter were dropped',
    ticks => ticks - (ticks % ticksInSecond),
  ),
  shifted('literal-without-time', 'the time of day in the filter were dropped', ticks => ticks - (ticks % ticksInDay)),
  shifted('zone-plus-one', 'moments in the filter were an hour off', ticks => ticks + 3600n * ticksInSecond),
  shifted('zone-plus-two', 'moments in the filter were two hours off', ticks => ticks + 7200n * ticksInSecond),
  shifted('zone-minus-one', 'moments in the filter were an hour off', ticks => ticks - 3600n * ticksInSecond),
  shifted('zone-minus-five', 'moments in the filter were five hours off', ticks => ticks - 5n * 3600n * ticksInSecond),
  comparing('moments-by-second', 'moments were compared by whole seconds', moments, coarse(ticksInSecond)),
  comparing('moments-by-minute', 'moments were compared by whole minutes', moments, coarse(60n * ticksInSecond)),
  comparing('moments-by-day', 'moments were compared by days', moments, coarse(ticksInDay)),
  comparing('gt-by-day', 'gt went by days', moments, coarse(ticksInDay), 'gt'),
  comparing('le-by-day', 'le went by days', moments, coarse(ticksInDay), 'le'),
  comparing('moments-as-text', 'moments were compared as texts', moments, byText),
  comparing('numbers-as-text', 'numbers were compared as texts', numbers, byText),
  {
    id: 'enums-by-other-order',
    says: 'enumerations were compared by the other one of values and names',
    laws: laws => ({
      ...laws,
      enumsGoByName: { possible: !laws.enumsGoByName.certain, certain: !laws.enumsGoByName.certain },
    }),
    concerns: part => part.kind === 'binary' && ['gt', 'ge', 'lt', 'le'].includes(part.operator),
  },
]
