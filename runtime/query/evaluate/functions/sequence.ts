import { EvaluationError } from '../../evaluation-error.js'
import type { TypeTable } from '../../schema.js'
import { areEqual } from '../compare.js'
import { integer, type Present, string, type Value } from '../value.js'
import { type CanonicalFunction, integerArgument, misfit, textArgument } from './function.js'

type Pair =
  | { readonly kind: 'texts'; readonly whole: string; readonly part: string }
  | { readonly kind: 'collections'; readonly whole: readonly Value[]; readonly part: readonly Value[] }

/**
 * Functions on strings and, in the same sense, on ordered collections. Positions and lengths of strings count characters:
 * Unicode code points.
 *
 * @see OData 4.01 URL Conventions, 5.1.1.5
 */
export const sequenceFunctions: Readonly<Record<string, CanonicalFunction>> = {
  concat: values => {
    const { kind, whole, part } = pairOf('concat', values)
    return kind === 'texts' ? string(whole + part) : { kind: 'collection', items: [...whole, ...part] }
  },
  contains: (values, types) => {
    const pair = pairOf('contains', values)
    return pair.kind === 'texts' ? pair.whole.includes(pair.part) : indexOfItems(pair.whole, pair.part, types) >= 0
  },
  startswith: (values, types) => {
    const pair = pairOf('startswith', values)
    return pair.kind === 'texts' ? pair.whole.startsWith(pair.part) : standsAt(pair.whole, pair.part, 0, types)
  },
  endswith: (values, types) => {
    const pair = pairOf('endswith', values)
    if (pair.kind === 'texts') return pair.whole.endsWith(pair.part)
    return standsAt(pair.whole, pair.part, pair.whole.length - pair.part.length, types)
  },
  indexof: (values, types) => {
    const pair = pairOf('indexof', values)
    if (pair.kind === 'collections') return integer(indexOfItems(pair.whole, pair.part, types))
    const index = pair.whole.indexOf(pair.part)
    return integer(index === -1 ? -1 : characterCount(pair.whole.slice(0, index)))
  },
  length: ([value]) => {
    const items = itemsOf(value)
    return integer(items === undefined ? characterCount(textArgument('length', value)) : items.length)
  },
  substring: ([value, start, count]) => {
    const items = itemsOf(value)
    if (items !== undefined) return { kind: 'collection', items: sliced(items, start, count) }
    return string(sliced([...textArgument('substring', value)], start, count).join(''))
  },
}

function pairOf(name: string, [first, second]: readonly Present[]): Pair {
  const whole = itemsOf(first)
  const part = itemsOf(second)
  if (whole !== undefined && part !== undefined) return { kind: 'collections', whole, part }
  if (whole !== undefined) return misfit(name, second, 'two collections')
  return { kind: 'texts', whole: textArgument(name, first), part: textArgument(name, second) }
}

function itemsOf(value: Present | undefined): readonly Value[] | undefined {
  return value !== undefined && typeof value !== 'boolean' && value.kind === 'collection' ? value.items : undefined
}

function characterCount(text: string): number {
  let count = 0
  for (const _ of text) count += 1
  return count
}

/** A negative start counts from the end; a start behind the end gives nothing. */
function sliced<Item>(items: readonly Item[], start: Present | undefined, count: Present | undefined): readonly Item[] {
  const first = integerArgument('substring', start)
  const from = first < 0 ? Math.max(items.length + first, 0) : first
  if (count === undefined) return items.slice(from)
  const length = integerArgument('substring', count)
  if (length < 0) throw new EvaluationError('`substring` cannot give a negative number of characters.')
  return items.slice(from, from + length)
}

function indexOfItems(whole: readonly Value[], part: readonly Value[], types: TypeTable | undefined): number {
  for (let index = 0; index <= whole.length - part.length; index += 1) {
    if (standsAt(whole, part, index, types)) return index
  }
  return -1
}

function standsAt(
  whole: readonly Value[],
  part: readonly Value[],
  index: number,
  types: TypeTable | undefined,
): boolean {
  if (index < 0 || index + part.length > whole.length) return false
  return part.every((item, offset) => areEqual(item, whole[index + offset] ?? null, types))
}
