import type { Annotated } from './annotated.js'
import type { ErrorBodyDocument, ErrorDocument, FaultName } from './error-document.js'
import type { OperationDocument } from './operation-document.js'
import type { PathDocument } from './path-document.js'
import type { QueryOptionsDocument } from './query-options-document.js'
import type { ContainerElementDocument, ResourceDocument } from './resource-document.js'

/** The spec document as it is written in YAML, after the JSON Schema accepted it. Stages after `model` never see it. */
export interface SpecDocument {
  readonly specwright: 1
  readonly service: ServiceDocument
  readonly authentication?: AuthenticationDocument
  readonly resources: Readonly<Record<string, ResourceDocument>>
  readonly container: Readonly<Record<string, ContainerElementDocument>>
  readonly queryOptions?: Readonly<Record<string, QueryOptionsDocument>>
  readonly paths: Readonly<Record<string, PathDocument>>
  readonly operations?: Readonly<Record<string, OperationDocument>>
  readonly preferences?: Readonly<Record<string, PreferenceDocument>>
  readonly errors: Readonly<Record<string, ErrorDocument>>
  readonly errorBody?: ErrorBodyDocument
  /** Which declared error answers which fault of the protocol; what is absent has a built-in answer. */
  readonly faults?: Readonly<Partial<Record<FaultName, string>>>
  readonly clauses?: Readonly<Record<string, ClauseDocument>>
  readonly open?: Readonly<Record<string, OpenChoiceDocument>>
  /** Named sets of choices: choice -> the one value that the profile demands. */
  readonly profiles?: Readonly<Record<string, Readonly<Record<string, string>>>>
  readonly limits?: LimitsDocument
}

export interface ServiceDocument extends Annotated {
  readonly name: string
  readonly title?: string
  readonly namespace?: string
  /** Path segment after the base address, `v1.0`. */
  readonly version: string
  /** A text file in the folder of the spec that `clauses` quote. */
  readonly interface?: string
}

export interface AuthenticationDocument extends Annotated {
  readonly scheme: 'bearer' | 'none'
  /** Error names: no or bad credential; a credential without the scope. */
  readonly missing?: string
  readonly insufficient?: string
  readonly scopes?: Readonly<Record<string, string>>
}

export interface ClauseDocument {
  readonly ref: string
  /** Word for word from the interface. */
  readonly quote: string
  /** The choice under `open` that this sentence leaves, when it demands nothing. */
  readonly open?: string
}

export interface OpenChoiceDocument extends Annotated {
  /** Anything in the list is right, as long as a service is true to itself. */
  readonly legal: readonly (string | number)[]
  /** What our own service does. */
  readonly reference: string | number
}

export interface LimitsDocument extends Annotated {
  /** Characters of the request target. */
  readonly url?: number
  /** Bytes of a request body. */
  readonly body?: number
  /** Depth of `$expand`. */
  readonly expandDepth?: number
}

export interface PreferenceDocument extends Annotated {
  /** Name without vendor prefix, `body-content-type`. A prefixed form is accepted too. */
  readonly name: string
  readonly values: readonly string[]
  readonly default?: string
  /** The structured property of the response whose format it chooses, as `property: body/contentType`. */
  readonly property?: string
}
