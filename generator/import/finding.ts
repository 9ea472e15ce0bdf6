import type { Severity } from '../../spec/language/index.js'
import type { Spot } from './csdl/csdl-element.js'

/** One thing that could not be read, or that a spec cannot hold. */
export interface Finding {
  readonly severity: Severity
  /** `import/annotation`. */
  readonly code: string
  /** The same for all findings of a kind, which are told together. */
  readonly message: string
  /** Which element, by name. */
  readonly what: string
  readonly spot: Spot
}

/** Takes down a finding. */
export type Note = (finding: Finding) => void

/** What is wrong with the document as a whole: nothing of it is imported. */
export function fault(code: string, message: string, spot: Spot): Finding {
  return { severity: 'error', code: `import/${code}`, message, what: '', spot }
}

/** What is left out of the spec. */
export function loss(code: string, message: string, what: string, spot: Spot): Finding {
  return { severity: 'warning', code: `import/${code}`, message, what, spot }
}
