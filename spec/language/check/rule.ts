import type { TypeTable } from '../../../runtime/query/schema.js'
import type { Report } from '../diagnostics/problem.js'
import type { SpecDocument } from '../document/index.js'
import type { Service } from '../model/service.js'

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
  readonly ruledClauses?: ReadonlySet<string>
}

/** One semantic rule: reports every breach of it. */
export type Rule = (context: CheckContext) => void
