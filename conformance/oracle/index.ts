export { compareForOrder } from './compare.js'
export {
  type ComparisonSemantics,
  comparisonSemanticsOf,
  type Deviation,
  type ServiceKnowledge,
} from './comparison-semantics.js'
export { truthOn, valueOn } from './evaluate.js'
export type { EvaluationContext } from './paths.js'
export { evaluationContextOf, explain, type Prediction, predict } from './predict.js'
export { anyTruth, describeTruth, isFalse, isNull, isTrue, type TruthSet } from './truth-set.js'
