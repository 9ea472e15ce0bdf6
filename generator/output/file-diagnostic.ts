import { join } from 'node:path'
import type { Diagnostic } from '../../spec/language/index.js'

/** An error that has to do with a file of the output, not with the spec. */
export function fileDiagnostic(code: string, message: string, out: string, path = '', line = 1): Diagnostic {
  return {
    severity: 'error',
    code,
    message,
    path: join(out, path),
    place: { line, column: 1, offset: 0, length: 0 },
    related: [],
  }
}
