import { falseLiteral, trueLiteral } from '../expressions.js'
import type { BugModel } from './bug-model.js'
import { dateAndNumberBugs } from './dates-and-numbers.js'
import { functionBugs, rareFunctionBugs } from './functions.js'
import { lambdaBugs } from './lambdas.js'
import { operatorBugs } from './operators.js'
import { precedenceBugs } from './precedence.js'
import { textBugs } from './texts.js'

const nullLogicBugs: readonly BugModel[] = (
  [
    ['equality-null-logic', 'eq and ne with null had another logic', 'equalityIsThreeValued', ['eq', 'ne', 'in']],
    [
      'relation-null-logic',
      'gt, ge, lt and le with null had another logic',
      'relationalIsThreeValued',
      ['gt', 'ge', 'lt', 'le'],
    ],
    [
      'function-null-logic',
      'functions of null had another logic',
      'functionIsTwoValued',
      ['contains', 'startswith', 'endswith'],
    ],
  ] as const
).map(([id, description, name, used]) => ({
  id,
  description,
  semantics: semantics => ({
    ...semantics,
    [name]: { possible: !semantics[name].certain, certain: !semantics[name].certain },
  }),
  isAffected: part =>
    used.some(
      each => (part.kind === 'binary' && part.operator === each) || (part.kind === 'call' && part.function === each),
    ),
}))

/**
 * The bug models that planned filters must detect. A finding that bug models explain is named after the first of them.
 */
export const bugModels: readonly BugModel[] = [
  { id: 'filter-ignored', description: 'there were no filter', rewriteFilter: () => trueLiteral },
  ...precedenceBugs,
  ...operatorBugs,
  ...textBugs,
  ...dateAndNumberBugs,
  ...functionBugs,
  ...lambdaBugs,
  ...rareFunctionBugs,
  ...nullLogicBugs,
  { id: 'nothing-found', description: 'the filter found nothing', rewriteFilter: () => falseLiteral },
]
