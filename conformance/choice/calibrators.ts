import { answeringCalibrators } from './answering/index.js'
import type { Calibrator } from './calibrator.js'
import { comparisonCalibrators } from './comparison/index.js'
import { readingCalibrators } from './reading/index.js'

/** One for each open choice that the judge knows how to learn. */
export const calibrators: readonly Calibrator[] = [
  ...readingCalibrators,
  ...comparisonCalibrators,
  ...answeringCalibrators,
]
