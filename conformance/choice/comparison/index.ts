import type { Calibrator } from '../calibrator.js'

export const comparisonCalibrators: readonly Calibrator[] = []
