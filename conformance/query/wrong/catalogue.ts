import { wrongFunctions } from './functions.js'
import { wrongLambdas } from './lambdas.js'
import { wrongMoments } from './moments.js'
import { wrongOperators } from './operators.js'
import { wrongRareFunctions } from './rare-functions.js'
import { always, never } from './rewrite.js'
import { wrongTexts } from './texts.js'
import { wrongTrees } from './trees.js'
import type { WrongInterpreter } from './wrong-interpreter.js'

const byNullLogic: readonly WrongInterpreter[] = (
  [
    ['equality-null-logic', 'eq and ne with null had another logic', 'equalityIsThreeValued', ['eq', 'ne', 'in']],
    [
      'relation-null-logic',
      'gt, ge, lt and le with null had another logic',
      'relationIsThreeValued',
      ['gt', 'ge', 'lt', 'le'],
    ],
    [
      'function-null-logic',
      'functions of null had another logic',
      'functionIsTwoValued',
      ['contains', 'startswith', 'endswith'],
    ],
  ] as const
).map(([id, says, name, used]) => ({
  id,
  says,
  laws: laws => ({ ...laws, [name]: { possible: !laws[name].certain, certain: !laws[name].certain } }),
  concerns: part =>
    used.some(
      each => (part.kind === 'binary' && part.operator === each) || (part.kind === 'call' && part.function === each),
    ),
}))

/** What planned filters tell from the right reading. Findings that one of them explains are named after it, the first if several. */
export const wrongInterpreters: readonly WrongInterpreter[] = [
  { id: 'filter-ignored', says: 'there were no filter', tree: () => always },
  ...wrongTrees,
  ...wrongOperators,
  ...wrongTexts,
  ...wrongMoments,
  ...wrongFunctions,
  ...wrongLambdas,
  ...wrongRareFunctions,
  ...byNullLogic,
  { id: 'nothing-found', says: 'the filter found nothing', tree: () => never },
]
