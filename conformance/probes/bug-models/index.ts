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
    ['equality-null-logic', 'eq and ne treat null with another logic', 'equalityIsThreeValued', ['eq', 'ne', 'in']],
    [
      'relation-null-logic',
      'gt, ge, lt and le treat null with another logic',
      'relationalIsThreeValued',
      ['gt', 'ge', 'lt', 'le'],
    ],
    [
      'function-null-logic',
      'functions treat null with another logic',
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
  { id: 'filter-ignored', description: 'the filter is ignored', rewriteFilter: () => trueLiteral },
  ...precedenceBugs,
  ...operatorBugs,
  ...textBugs,
  ...dateAndNumberBugs,
  ...functionBugs,
  ...lambdaBugs,
  ...rareFunctionBugs,
  ...nullLogicBugs,
  { id: 'nothing-found', description: 'the filter matches nothing', rewriteFilter: () => falseLiteral },
]
