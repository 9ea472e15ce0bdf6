import fc from 'fast-check'
import type { Expression } from '../../runtime/query/index.js'
import type { Atom } from './atom.js'
import { binary, joined, not } from './build.js'
import type { Grammar } from './grammar.js'
import { isTooLong } from './is-too-long.js'
import { nodesOf } from './nodes-of.js'

/** Filters of some depth, made of conditions by the operators that the spec declares. */
export function filterArbitrary(atoms: readonly Atom[], grammar: Grammar): fc.Arbitrary<Expression> {
  const atom = fc.constantFrom(...atoms).map(({ filter }) => filter)
  const { tree } = fc.letrec<{ tree: Expression }>(tie => ({
    tree: fc.oneof(
      { maxDepth: 3, depthSize: 'small', withCrossShrink: true },
      { arbitrary: atom, weight: 2 },
      ...(grammar.has('and')
        ? [{ arbitrary: fc.tuple(tie('tree'), tie('tree')).map(([a, b]) => binary('and', a, b)), weight: 3 }]
        : []),
      ...(grammar.has('or')
        ? [{ arbitrary: fc.tuple(tie('tree'), tie('tree')).map(([a, b]) => binary('or', a, b)), weight: 3 }]
        : []),
      ...(grammar.has('not') ? [{ arbitrary: tie('tree').map(not), weight: 2 }] : []),
    ),
  }))
  return tree.map(filter => shortened(filter, grammar.maxNodes))
}

/** Chains of conditions, of which each may tell something of its own. */
export function chainArbitrary(
  operator: 'and' | 'or',
  atoms: readonly Atom[],
  grammar: Grammar,
): fc.Arbitrary<Expression> {
  return fc
    .array(fc.constantFrom(...atoms), { minLength: 3, maxLength: 6 })
    .map(([first, ...others]) => {
      const [head, ...rest] = [first, ...others].flatMap(each => (each === undefined ? [] : [each.filter]))
      return head === undefined ? not(binary('eq', nothing, nothing)) : joined(operator, head, ...rest)
    })
    .map(filter => shortened(filter, grammar.maxNodes))
}

const nothing: Expression = { kind: 'literal', type: 'null', value: null }

/** The left part of what is too long. */
export function shortened(filter: Expression, maxNodes: number): Expression {
  let result = filter
  while (nodesOf(result) > maxNodes || isTooLong(result)) {
    if (result.kind === 'unary') result = result.operand
    else if (result.kind === 'binary' && (result.operator === 'and' || result.operator === 'or')) result = result.left
    else return result
  }
  return result
}
