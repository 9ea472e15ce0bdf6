export {
  type DescribeConformanceOptions,
  describeConformance,
  type TestRunner,
  type TestTarget,
} from './describe-conformance.js'
export { type ConformanceOptions, type KnownFailure, OptionsError, type Phase, type Progress } from './options.js'
export { renderHtml } from './report/html.js'
export { renderJunit } from './report/junit.js'
export { renderKnownFailures } from './report/known-failures.js'
export type * from './report/report.js'
export { type PlaceOf, renderGithub, renderSarif } from './report/sarif.js'
export { renderText, type TextOptions } from './report/text.js'
export { type Area, areas, type RuleMetadata } from './rule/rule.js'
export { rules } from './rules/index.js'
export { runConformance } from './run-conformance.js'

export { type CleanedUp, cleanUpJournal } from './writes/clean-up.js'
export { type Journal, type ReadJournal, readJournal } from './writes/journal.js'
