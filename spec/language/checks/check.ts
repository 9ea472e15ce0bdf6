import type { TypeTable } from '../../../runtime/query/index.js'
import type { Report } from '../diagnostics/diagnostic.js'
import type { SpecDocument } from '../document.js'
import type { Service } from '../model/service.js'
import { inheritanceChain, type StructuredType } from '../model/types.js'

/** What the rules of the checker look at. */
export interface CheckContext {
  readonly document: SpecDocument
  readonly service: Service
  /** The service's types as the query language takes them. */
  readonly types: TypeTable
  readonly report: Report
  /** Whether the model may lack what this part of the document says, because something in it is wrong already. */
  readonly isIncomplete: (pointer: string) => boolean
  /** The text that clauses quote, when the spec names one and it could be read. */
  readonly interfaceText?: string
  /** The clauses for which the judge has a rule; absent: not known. */
  readonly testedClauses?: ReadonlySet<string>
}

/** One semantic rule: reports every breach of it. */
export type Check = (context: CheckContext) => void

/** Whether the model may lack members of a type, because something is wrong already with it or one that it inherits from. */
export function mayLackMembers(type: StructuredType, { isIncomplete }: Pick<CheckContext, 'isIncomplete'>): boolean {
  return inheritanceChain(type).some(({ location }) => isIncomplete(location.pointer))
}
