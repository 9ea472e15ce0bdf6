import type { Calibrator } from '../calibrator.js'

export const answeringCalibrators: readonly Calibrator[] = []
