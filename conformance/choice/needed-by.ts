import type { Calibrator } from './calibrator.js'

/** Calibrators that only these rules, by id or area, need. */
export function neededBy(rules: readonly string[], ...calibrators: readonly Calibrator[]): readonly Calibrator[] {
  return calibrators.map(calibrator => ({ ...calibrator, neededBy: rules }))
}
