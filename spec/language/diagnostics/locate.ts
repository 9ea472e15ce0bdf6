import type { Source } from '../source/source.js'
import type { Diagnostic } from './diagnostic.js'
import type { Problem } from './problem.js'

/** Finds the lines and columns of a problem. */
export function locate(problem: Problem, source: Source): Diagnostic {
  return {
    severity: problem.severity ?? 'error',
    code: problem.code,
    message: problem.message,
    path: source.path,
    place: source.at(problem.at, problem.on),
    related: (problem.related ?? []).map(other => ({ message: other.message, place: source.at(other.at, other.on) })),
    ...(problem.suggestion === undefined ? {} : { suggestion: problem.suggestion }),
  }
}
