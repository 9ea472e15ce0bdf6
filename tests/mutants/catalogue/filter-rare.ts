import type { Expression } from '../../../runtime/query/index.js'
import type { Value } from '../service/values.js'
import { type Mutant, mutantsIn } from './mutant.js'

const mutant = mutantsIn('filter', 'library')

type Change = (values: readonly Value[], nodes: readonly Expression[], correct: (name: string) => Value) => Value

/** Changes the result of a function. `change` can also compute the results of other functions. */
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

/** Faults of functions that few services support. */
export const filterRareMutants: readonly Mutant[] = [
  changedFunction('subset-of-any', 'hassubset is true if any of the items is present.', 'hassubset', ([whole, part]) =>
    itemsOf(part).some(item => itemsOf(whole).includes(item)),
  ),
  changedFunction(
    'subset-in-order',
    'hassubset requires its items in order.',
    'hassubset',
    (_values, _nodes, correct) => correct('hassubsequence'),
  ),
  changedFunction('subset-the-other-way', 'hassubset tests the opposite direction.', 'hassubset', ([whole, part]) =>
    itemsOf(whole).every(item => itemsOf(part).includes(item)),
  ),
  changedFunction(
    'subsequence-in-any-order',
    'hassubsequence ignores the order.',
    'hassubsequence',
    (_values, _nodes, correct) => correct('hassubset'),
  ),
  changedFunction(
    'subsequence-in-a-row',
    'hassubsequence requires consecutive items.',
    'hassubsequence',
    ([whole, part]) => {
      const [all, wanted] = [itemsOf(whole), itemsOf(part)]
      return all.some((_, start) => wanted.every((item, index) => all[start + index] === item))
    },
  ),
  changedFunction('cast-ignored', 'cast returns its argument unchanged.', 'cast', ([value = null]) => value),
  changedFunction('cast-wraps-around', 'cast of a number that is out of range wraps around.', 'cast', (...given) => {
    const [[value], , correct] = given
    const found = correct('cast')
    return found === null && typeof value === 'number' ? value & 0xff : found
  }),
  changedFunction('failed-cast-is-zero', 'A failed cast returns zero.', 'cast', ([value], _nodes, correct) => {
    const found = correct('cast')
    return found === null && typeof value === 'string' ? 0 : found
  }),
  changedFunction('isof-always', 'isof is true for every type.', 'isof', () => true),
  changedFunction('isof-exact', 'isof is false for derived types.', 'isof', (values, nodes, correct) =>
    nodes.length < 2 ? false : correct('isof') === true && values[0] !== null,
  ),
  changedFunction(
    'case-of-the-last',
    'The last true condition of case decides.',
    'case',
    values => values.findLast((_, index) => index % 2 === 1 && values[index - 1] === true) ?? null,
  ),
  changedFunction('case-of-the-first', 'case evaluates only its first condition.', 'case', ([condition, result]) =>
    condition === true ? (result ?? null) : null,
  ),
  changedFunction('mindatetime-is-far', 'mindatetime is in the future.', 'mindatetime', () => far),
  changedFunction('maxdatetime-is-epoch', 'maxdatetime is the Unix epoch.', 'maxdatetime', () => ({
    kind: 'instant',
    nanos: 0n,
  })),
  changedFunction(
    'offset-of-one-hour',
    'totaloffsetminutes uses another time zone.',
    'totaloffsetminutes',
    ([value]) => (value === null ? null : 60),
  ),
]
