import type { Calibrator } from '../calibrator.js'

export const readingCalibrators: readonly Calibrator[] = []
