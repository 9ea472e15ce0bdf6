import {
  type AnyCall,
  Failure,
  type FaultDetails,
  RequestFault,
  type ServiceTable,
} from '../../runtime/server/index.js'
import { type Session, StoreError } from '../store/engines/engine.js'
import type { Store } from '../store/store.js'
import { InvalidValue } from '../store/write/item-values.js'

/** Faults that handlers find. */
type HandlerFault =
  | 'itemNotFound'
  | 'preconditionFailed'
  | 'conflict'
  | 'invalidBody'
  | 'expiredToken'
  | 'malformedQueryOption'

/**
 * The error that tells a fault: the one that the operation declares for its status, where there is one, so that a service
 * says what its spec says; else the service's own for the fault.
 */
export function faultOf(
  fault: HandlerFault,
  { route, keys }: Pick<AnyCall, 'route' | 'keys'>,
  table: ServiceTable,
  { reasons, ...given }: FaultDetails = {},
): Failure | RequestFault {
  const { status } = table.faults[fault]
  const declared = route.errors.find(name => Object.hasOwn(table.errors, name) && table.errors[name]?.status === status)
  const code = declared === undefined ? undefined : table.errors[declared]?.code
  const texts = Object.fromEntries(Object.entries(keys).map(([name, value]) => [name, String(value)]))
  const details = { ...given, values: { ...texts, ...given.values } }
  if (declared === undefined || code === undefined || status === 400) {
    return new RequestFault(fault, reasons === undefined ? details : { ...details, reasons })
  }
  if (reasons === undefined) return new Failure(declared, details)
  return new Failure(declared, { ...details, details: reasons.map(reason => ({ code, ...reason })) })
}

/** Runs what answers a read, and says what a caller can do about it when the store refuses. */
export async function runRead<Value>(store: Store, work: (session: Session) => Promise<Value>): Promise<Value> {
  try {
    return await store.engine.read(work)
  } catch (error) {
    throw readFault(error)
  }
}

function readFault(error: unknown): unknown {
  if (!(error instanceof StoreError)) return error
  switch (error.kind) {
    case 'outOfRange': {
      const reason = 'A number or time in it leaves the range that can be reckoned with.'
      return new RequestFault('malformedQueryOption', { values: { option: 'query', reason } })
    }
    case 'tooComplex': {
      const reason = 'It is longer or more deeply nested than the store can answer.'
      return new RequestFault('unsupportedQueryOption', { values: { option: 'query', reason } })
    }
    default:
      return unavailableFault(error)
  }
}

/**
 * The store cannot be reached, or others hold it: the caller may try again. What took too long will do so again, unless the
 * caller asks for less; who runs the service learns of it.
 */
function unavailableFault(error: StoreError): unknown {
  if (error.kind === 'tooSlow') {
    const reason = 'The answer took longer than it may. Ask for less, or by properties that are indexed.'
    return new RequestFault('serviceUnavailable', { values: { reason } }, error)
  }
  const isPassing = error.kind === 'busy' || error.kind === 'unavailable'
  return isPassing ? new RequestFault('serviceUnavailable', { headers: { 'retry-after': '1' } }) : error
}

/** What a caller is told about a write that the store refused; the error itself when nobody but us can do something. */
export function writeFault(error: unknown, call: AnyCall, table: ServiceTable): unknown {
  if (error instanceof InvalidValue) {
    const reason = { target: error.property, message: error.message }
    return faultOf('invalidBody', call, table, {
      target: error.property,
      values: { reason: error.message },
      reasons: [reason],
    })
  }
  if (!(error instanceof StoreError)) return error
  switch (error.kind) {
    case 'unique': {
      const names = error.columns.filter(name => !name.startsWith('$'))
      const [target] = names
      const reason =
        names.length === 0
          ? 'There is such an item already.'
          : `There is an item with this ${names.join(' and ')} already.`
      return faultOf('conflict', call, table, { ...(target === undefined ? {} : { target }), values: { reason } })
    }
    case 'reference':
      return faultOf('conflict', call, table, { values: { reason: 'Other items refer to this one.' } })
    case 'outOfRange': {
      const reason = 'A value is outside the range that the store can hold.'
      return faultOf('invalidBody', call, table, { values: { reason } })
    }
    case 'tooComplex': {
      const reason = 'It has more, or longer, values than the store can hold together.'
      return faultOf('invalidBody', call, table, { values: { reason } })
    }
    default:
      return unavailableFault(error)
  }
}
