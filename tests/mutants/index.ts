export { filterRareMutants } from './catalogue/filter-rare.js'
export { mutants } from './catalogue/index.js'
export type { Mutant } from './catalogue/mutant.js'
export { type DataOptions, generateData } from './data/generate-data.js'
export type { Behaviour } from './service/behaviour.js'
export { correctBehaviour } from './service/correct-behaviour.js'
export { createMutantService, type MutantServiceOptions } from './service/service.js'
export type { Data } from './service/store.js'
export type { Value } from './service/values.js'
export {
  falsePositiveTable,
  killTable,
  type MutantResult,
  runHeldOut,
  runMutant,
  runVariant,
  summary,
  type TrialOptions,
  type VariantResult,
} from './trial.js'
export { combineVariants, createVariantService, variantsOf } from './variants/index.js'
export type { Variant } from './variants/variant.js'
