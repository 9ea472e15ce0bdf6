import type { ArgumentTypeView } from './argument-types.js'
import type { ConditionsView } from './conditions.js'
import type { QueryTypeView } from './query-types.js'
import type { ShapeView } from './shapes.js'

/** What `templates/client.hbs` shows. */
export interface ClientView {
  readonly header: string
  readonly imports: readonly string[]
  readonly create: string
  readonly createDocs: readonly string[]
  readonly service: string
  readonly serviceDocs: readonly string[]
  /** Names of what is imported from the runtime, empty when it is not. */
  readonly clientOptions: string
  readonly connection: string
  readonly connect: string
  readonly resource: string
  readonly condition: string
  readonly commonCodesType: string
  /** With what stands before it, a space or a line break. */
  readonly commonCodes: string
  /** Of the service itself. */
  readonly members: readonly MemberView[]
  readonly resources: readonly ResourceView[]
  readonly argumentTypes: readonly ArgumentTypeView[]
  readonly shapes: readonly ShapeView[]
  readonly queries: readonly QueryTypeView[]
  readonly conditions: readonly ConditionsView[]
}

export interface ResourceView {
  readonly docs: readonly string[]
  /** Its interface. */
  readonly type: string
  readonly constant: string
  readonly members: readonly MemberView[]
}

/** An operation, or a resource below. */
export interface MemberView {
  readonly docs: readonly string[]
  readonly name: string
  readonly type: string
  readonly value: string
}
