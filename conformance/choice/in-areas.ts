import type { Area } from '../rule/rule.js'
import type { Calibrator } from './calibrator.js'

/** Calibrators that are needed in these areas only. */
export function inAreas(areas: readonly Area[], ...calibrators: readonly Calibrator[]): readonly Calibrator[] {
  return calibrators.map(calibrator => ({ ...calibrator, areas }))
}
