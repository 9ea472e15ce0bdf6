import type { Expression } from '../../../runtime/query/index.js'
import type { Value } from '../service/values.js'
import { type Mutant, mutantsIn } from './mutant.js'

const mutant = mutantsIn('filter', 'library')

/** Changes the result of a function. */
function changedFunction(
  name: string,
  statement: string,
  of: string,
  change: (value: Value, values: readonly Value[]) => Value,
): Mutant {
  return mutant(name, statement, correct => ({
    call: (called, values, nodes, env) => {
      const value = correct.call(called, values, nodes, env)
      return called === of && value !== null ? change(value, values) : value
    },
  }))
}

const plusOne = (value: Value): Value => (typeof value === 'number' ? value + 1 : value)

const isAlias = (expression: Expression, name: string | undefined): boolean =>
  expression.kind === 'alias' && expression.name === name

/** Faults of constructs that only the Library spec supports. */
export const filterLibraryMutants: readonly Mutant[] = [
  mutant('in-first-only', 'in compares only the first value of its list.', correct => ({
    compare: (node, left, right, env) =>
      node.operator === 'in' && typeof right === 'object' && right?.kind === 'collection'
        ? correct.compare(node, left, { ...right, items: right.items.slice(0, 1) }, env)
        : correct.compare(node, left, right, env),
  })),
  mutant('has-any-flag', 'has is true if any of several flags is set.', correct => ({
    compare: (node, left, right, env) => {
      if (node.operator !== 'has' || typeof left !== 'object' || left?.kind !== 'enum' || typeof right !== 'string') {
        return correct.compare(node, left, right, env)
      }
      return right.split(',').some(name => correct.compare(node, left, name, env) === true)
    },
  })),
  mutant('has-as-eq', 'has tests for equality.', correct => ({
    compare: (node, left, right, env) =>
      correct.compare(node.operator === 'has' ? { ...node, operator: 'eq' } : node, left, right, env),
  })),
  mutant('all-as-any', 'all requires only one item.', correct => ({
    lambda: (node, items, test, env) => correct.lambda({ ...node, operator: 'any' }, items, test, env),
  })),
  mutant('all-of-none', 'all is false for an empty collection.', correct => ({
    lambda: (node, items, test, env) => items.length > 0 && correct.lambda(node, items, test, env),
  })),
  mutant('service-function-argument-ignored', 'A function of the service ignores its last argument.', correct => ({
    callService: (operation, item, given, env) => {
      const { definition } = operation
      const last = [...given.keys()].at(-1)
      const isLast = (part: Expression): boolean => part.kind === 'binary' && isAlias(part.right, last)
      const changed = definition?.kind === 'binary' && isLast(definition.right) ? definition.left : definition
      return correct.callService({ ...operation, ...(changed && { definition: changed }) }, item, given, env)
    },
  })),
  mutant(
    'service-function-border',
    'A function of the service excludes the border that its definition includes.',
    correct => ({
      callService: (operation, item, given, env) =>
        correct.callService(operation, item, given, {
          ...env,
          at: {
            ...env.at,
            behaviour: {
              ...env.at.behaviour,
              compare: (node, left, right, inner) =>
                correct.compare(node.operator === 'ge' ? { ...node, operator: 'gt' } : node, left, right, inner),
            },
          },
        }),
    }),
  ),
  mutant('sub-as-add', 'sub adds.', correct => ({
    calculate: (operator, left, right, integral) =>
      correct.calculate(operator === 'sub' ? 'add' : operator, left, right, integral),
  })),
  mutant('div-of-integers-not-whole', 'div of integers keeps the fraction.', correct => ({
    calculate: (operator, left, right) => correct.calculate(operator, left, right, false),
  })),
  mutant('mod-as-div', 'mod divides.', correct => ({
    calculate: (operator, left, right, integral) =>
      correct.calculate(operator === 'mod' ? 'div' : operator, left, right, integral),
  })),
  changedFunction('length-of-one-more', 'length counts one character too many.', 'length', plusOne),
  changedFunction('indexof-from-one', 'indexof counts from one.', 'indexof', plusOne),
  changedFunction('month-from-zero', 'month counts from zero.', 'month', value =>
    typeof value === 'number' ? value - 1 : value,
  ),
  changedFunction('year-of-two-digits', 'year has two digits.', 'year', value =>
    typeof value === 'number' ? value % 100 : value,
  ),
  changedFunction('round-down', 'round truncates.', 'round', (value, [number]) =>
    typeof number === 'number' ? Math.trunc(number) : value,
  ),
  changedFunction('ceiling-as-floor', 'ceiling rounds down.', 'ceiling', (value, [number]) =>
    typeof number === 'number' ? Math.floor(number) : value,
  ),
  changedFunction('concat-reversed', 'concat swaps its arguments.', 'concat', (value, [left, right]) =>
    typeof left === 'string' && typeof right === 'string' ? right + left : value,
  ),
  changedFunction('toupper-ignored', 'toupper has no effect.', 'toupper', (_value, [text]) => text ?? null),
  changedFunction('trim-ignored', 'trim has no effect.', 'trim', (_value, [text]) => text ?? null),
  changedFunction('substring-from-one', 'substring counts from one.', 'substring', value =>
    typeof value === 'string' ? value.slice(1) : value,
  ),
]
