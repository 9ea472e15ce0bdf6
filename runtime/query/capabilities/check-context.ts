import type { Expression } from '../ast.js'
import type { TypeTable } from '../schema.js'
import type { Capabilities } from './capabilities.js'
import type { PropertyTrail } from './property-trail.js'

/** What every check of one request needs. */
export interface CheckContext {
  readonly capabilities: Capabilities
  readonly types: TypeTable
  readonly aliases: Readonly<Record<string, Expression>>
  /** The items that the request addresses. */
  readonly outermost: PropertyTrail
  readonly report: (option: string, construct: string, message: string, property?: string) => void
}
