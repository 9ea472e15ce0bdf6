import type { TypeTable } from '../../../runtime/query/index.js'
import type { Report } from '../diagnostics/diagnostic.js'
import type { SpecDocument } from '../document.js'
import type { Service } from '../model/service.js'
import { inheritanceChain, type StructuredType } from '../model/types.js'

export interface CheckContext {
  readonly document: SpecDocument
  readonly service: Service
  /** The service's types as the query language takes them. */
  readonly types: TypeTable
  readonly report: Report
  /** Whether the model may lack this part of the document, because it has an error. */
  readonly isIncomplete: (pointer: string) => boolean
  /** The text that clauses quote, when the spec names one and it could be read. */
  readonly interfaceText?: string
}

/** One semantic check: reports every violation. */
export type Check = (context: CheckContext) => void

/** Whether the model may lack members of a type, because the type or one of its bases has an error. */
export function mayLackMembers(type: StructuredType, { isIncomplete }: Pick<CheckContext, 'isIncomplete'>): boolean {
  return inheritanceChain(type).some(({ location }) => isIncomplete(location.pointer))
}
