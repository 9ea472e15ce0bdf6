import type { Expression } from '../../../runtime/query/index.js'
import type { Value } from '../service/values.js'
import { type Mutant, mutantsIn } from './mutant.js'

const mutant = mutantsIn('filter', 'library')

type Change = (values: readonly Value[], nodes: readonly Expression[], correct: (name: string) => Value) => Value

/** A function that gives something else; what it should give, and what others would, can be asked for. */
function changedFunction(name: string, statement: string, of: string, change: Change): Mutant {
  return mutant(name, statement, correct => ({
    call: (called, values, nodes, env) => {
      const byName = (other: string): Value => correct.call(other, values, nodes, env)
      return called === of ? change(values, nodes, byName) : byName(called)
    },
  }))
}

const itemsOf = (value: Value | undefined): readonly Value[] =>
  typeof value === 'object' && value?.kind === 'collection' ? value.items : []

const far: Value = { kind: 'instant', nanos: 32_503_680_000_000_000_000n }

/** Faults of functions that few services have. */
export const filterRareMutants: readonly Mutant[] = [
  changedFunction('subset-of-any', 'hassubset is true when one of the items is there.', 'hassubset', ([whole, part]) =>
    itemsOf(part).some(wanted => itemsOf(whole).includes(wanted)),
  ),
  changedFunction('subset-in-order', 'hassubset wants its items in order.', 'hassubset', (_values, _nodes, correct) =>
    correct('hassubsequence'),
  ),
  changedFunction(
    'subset-the-other-way',
    'hassubset looks for the property in the list.',
    'hassubset',
    ([whole, part]) => itemsOf(whole).every(item => itemsOf(part).includes(item)),
  ),
  changedFunction(
    'subsequence-in-any-order',
    'hassubsequence takes any order.',
    'hassubsequence',
    (_values, _nodes, correct) => correct('hassubset'),
  ),
  changedFunction(
    'subsequence-in-a-row',
    'hassubsequence wants its items side by side.',
    'hassubsequence',
    ([whole, part]) => {
      const [all, wanted] = [itemsOf(whole), itemsOf(part)]
      return all.some((_, start) => wanted.every((item, index) => all[start + index] === item))
    },
  ),
  changedFunction('cast-ignored', 'cast leaves a value as it is.', 'cast', ([value = null]) => value),
  changedFunction(
    'cast-wraps-around',
    'A number that does not fit loses its upper bits when it is cast.',
    'cast',
    (...given) => {
      const [[value], , correct] = given
      const found = correct('cast')
      return found === null && typeof value === 'number' ? value & 0xff : found
    },
  ),
  changedFunction('failed-cast-is-zero', 'What cannot be cast is zero.', 'cast', ([value], _nodes, correct) => {
    const found = correct('cast')
    return found === null && typeof value === 'string' ? 0 : found
  }),
  changedFunction('isof-always', 'isof is true for every type.', 'isof', () => true),
  changedFunction(
    'isof-exact',
    'isof is false for types derived from the one asked for.',
    'isof',
    (values, nodes, correct) => (nodes.length < 2 ? false : correct('isof') === true && values[0] !== null),
  ),
  changedFunction(
    'case-of-the-last',
    'The last condition of case that is true decides.',
    'case',
    values => values.findLast((_, index) => index % 2 === 1 && values[index - 1] === true) ?? null,
  ),
  changedFunction('case-of-the-first', 'case knows its first condition only.', 'case', ([condition, result]) =>
    condition === true ? (result ?? null) : null,
  ),
  changedFunction('mindatetime-is-far', 'mindatetime is a moment of the future.', 'mindatetime', () => far),
  changedFunction('maxdatetime-is-epoch', 'maxdatetime is the beginning of 1970.', 'maxdatetime', () => ({
    kind: 'instant',
    nanos: 0n,
  })),
  changedFunction(
    'offset-of-one-hour',
    'totaloffsetminutes counts from another zone.',
    'totaloffsetminutes',
    ([value]) => (value === null ? null : 60),
  ),
]
