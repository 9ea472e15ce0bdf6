import type { AnyFilterBuilder } from './filter.js'
import type { Filter } from './filter-builder.js'
import type { RequestOptions } from './request-options.js'

/** Every option of every operation, as the runtime reads them; the operation's own types say which of them it has. */
export interface CallOptions extends RequestOptions {
  readonly select?: readonly string[] | undefined
  readonly filter?: ((f: AnyFilterBuilder) => Filter | undefined) | undefined
  readonly orderby?: readonly string[] | undefined
  readonly expand?: Readonly<Record<string, true | CallOptions | undefined>> | undefined
  readonly top?: number | undefined
  readonly skip?: number | undefined
  readonly count?: boolean | undefined
  readonly search?: string | Readonly<Record<string, string | readonly string[]>> | undefined
  readonly prefer?: Readonly<Record<string, string>> | undefined
  readonly ifMatch?: string | undefined
  readonly ifNoneMatch?: string | undefined
}

const isOptions = (value: unknown): value is CallOptions => typeof value === 'object' && value !== null

/** The options among the arguments of an operation. Its types have checked them; only their absence is left to see to. */
export const optionsAt = (args: readonly unknown[], index: number): CallOptions => {
  const options = args[index] ?? {}
  if (isOptions(options)) return options
  throw new TypeError(`Argument ${index + 1}: expected an object with options, found ${typeof options}.`)
}
