import type { QueryOptions } from '../query/ast.js'
import type { Exchange } from './exchange.js'
import { Failure, type FailureDetails } from './failure.js'
import type { AnyCall } from './handler.js'
import { keyTexts } from './key-texts.js'
import type { Precondition } from './precondition.js'
import type { PreferenceValues } from './preferences.js'
import type { Principal } from './principal.js'
import type { QueryTemplate } from './query/query-template.js'
import type { Input } from './read-input.js'
import { RequestFault } from './request-fault.js'
import type { RequestHead } from './request-head.js'
import type { Route } from './service-table.js'

/**
 * What a handler is given of one exchange. A class for the sake of `signal`, which is made only when a handler asks for
 * it: a getter in an object literal gives each call a hidden class of its own, which costs more than all the rest.
 */
export class HandlerCall implements AnyCall {
  readonly route: Route
  readonly keys: Readonly<Record<string, unknown>>
  readonly parameters: Readonly<Record<string, unknown>>
  readonly query: QueryOptions
  readonly template: QueryTemplate
  readonly pageSize: number | undefined
  readonly limit: number | undefined
  readonly body: unknown
  readonly precondition: Precondition
  readonly prefer: PreferenceValues
  readonly principal: Principal
  readonly context: unknown
  readonly request: RequestHead
  /** Handlers take these two out of the call. */
  readonly fail: AnyCall['fail']
  readonly notImplemented: AnyCall['notImplemented']

  constructor(exchange: Exchange, input: Input, context: unknown) {
    const { compiled, keys, plan } = exchange
    this.route = compiled.route
    this.keys = keys
    this.parameters = input.parameters
    this.query = plan.options
    this.template = plan.template
    this.pageSize = pageSizeOf(exchange)
    this.limit = topMeansTotal(exchange) ? plan.options.top : undefined
    this.body = input.body
    this.precondition = exchange.precondition
    this.prefer = exchange.preferences.values
    this.principal = exchange.principal
    this.context = context
    this.request = exchange.incoming.head
    this.fail = (error: string, given: FailureDetails = {}): never => {
      throw new Failure(error, { ...given, values: { ...keyTexts(keys), ...given.values } })
    }
    this.notImplemented = (): never => {
      throw new RequestFault('notImplemented', { values: { operation: compiled.route.name } })
    }
  }

  get signal(): AbortSignal {
    return this.request.signal
  }
}

/** How long a page may be: `$top` where it means a page, else its default, within its maximum and the caller's wish. */
function pageSizeOf(exchange: Exchange): number | undefined {
  const { compiled, plan, preferences } = exchange
  const top = compiled.route.query?.top
  if (top === undefined) return undefined
  const asked = topMeansTotal(exchange) ? undefined : plan.options.top
  const sizes = [asked ?? top.default, top.max, preferences.maxPageSize].filter(size => size !== undefined)
  return sizes.length === 0 ? undefined : Math.min(...sizes)
}

/** Where the spec is silent, too. @see OData Protocol 4.01, 11.2.6.3 */
function topMeansTotal({ table }: Exchange): boolean {
  return table.choices['topMeaning'] !== 'pageSize'
}
