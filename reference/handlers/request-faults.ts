import { defaultPatternSteps } from '../../runtime/query/index.js'
import {
  type AnyCall,
  Failure,
  type FaultDetails,
  RequestFault,
  type ServiceTable,
} from '../../runtime/server/index.js'
import { type Session, StoreError } from '../../sql/index.js'
import type { Store } from '../store/store.js'
import { InvalidValue } from '../store/write/item-values.js'

type HandlerFault =
  | 'itemNotFound'
  | 'preconditionFailed'
  | 'conflict'
  | 'invalidBody'
  | 'expiredToken'
  | 'malformedQueryOption'

/** The error for a fault: the error that the operation declares for the status, or the default error of the fault. */
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

/** Runs a read, and maps errors of the store to faults that the caller can act on. */
export async function runRead<Value>(
  store: Store,
  work: (session: Session) => Promise<Value>,
  from?: 'primary',
): Promise<Value> {
  try {
    return await store.engine.read(work, from)
  } catch (error) {
    throw readFault(error, store)
  }
}

function readFault(error: unknown, { table, engine: { readMilliseconds } }: Store): unknown {
  if (!(error instanceof StoreError)) return error
  switch (error.kind) {
    case 'outOfRange': {
      const reason = 'A number or time in it is out of the range that the store can compute.'
      return new RequestFault('malformedQueryOption', { values: { option: 'query', reason } })
    }
    case 'patternTooSlow': {
      const steps = table.limits.patternSteps ?? defaultPatternSteps
      const reason =
        `Matching its patterns takes more steps than the limit patternSteps, which is ${steps}. Use a simpler pattern, or ` +
        'filter by another property as well.'
      return new RequestFault('unsupportedQueryOption', { target: '$filter', values: { option: '$filter', reason } })
    }
    case 'tooComplex': {
      const reason = 'It is too long or too deeply nested for the store.'
      return new RequestFault('unsupportedQueryOption', { values: { option: 'query', reason } })
    }
    default:
      return unavailableFault(error, readMilliseconds)
  }
}

/**
 * The fault for a store that is unreachable, locked, full, damaged or too slow. If it is unreachable or locked, the caller may retry. A slow
 * query stays slow unless the caller asks for less; it is logged as an error as well.
 */
function unavailableFault(error: StoreError, readMilliseconds?: number): unknown {
  if (error.kind === 'tooSlow') {
    const reason =
      readMilliseconds === undefined
        ? 'The query took too long. Request fewer items, or filter and order by indexed properties.'
        : tooSlowReason(readMilliseconds)
    return new RequestFault('serviceUnavailable', { values: { reason } }, error)
  }
  if (error.kind === 'full' || error.kind === 'damaged') {
    const reason = error.kind === 'full' ? 'The disk of the store is full.' : 'The files of the store are damaged.'
    return new RequestFault('serviceUnavailable', { values: { reason } }, error)
  }
  const isPassing = error.kind === 'busy' || error.kind === 'unavailable'
  return isPassing ? new RequestFault('serviceUnavailable', { headers: { 'retry-after': '1' } }) : error
}

/** Why a read was ended. */
export function tooSlowReason(limit: number): string {
  return (
    `The read took more milliseconds than the limit readMilliseconds, which is ${limit}. Request fewer items, or filter and ` +
    'order by indexed properties.'
  )
}

/** Maps an error of a write to a fault that the caller can act on. Returns the error itself if it is a bug. */
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
        names.length === 0 ? 'The item already exists.' : `An item with this ${names.join(' and ')} already exists.`
      return faultOf('conflict', call, table, { ...(target === undefined ? {} : { target }), values: { reason } })
    }
    case 'reference':
      return faultOf('conflict', call, table, { values: { reason: 'Other items refer to this one.' } })
    case 'outOfRange': {
      const reason = 'A value is outside the range that the store can hold.'
      return faultOf('invalidBody', call, table, { values: { reason } })
    }
    case 'tooComplex': {
      const reason = 'It has more or longer values than the store can hold.'
      return faultOf('invalidBody', call, table, { values: { reason } })
    }
    case 'tooManyWaiting': {
      const reason = 'Too many writes of yours wait, or too large ones. Wait for the responses before you send more.'
      return new RequestFault('tooManyRequests', { headers: { 'retry-after': '1' }, values: { reason } })
    }
    default:
      return unavailableFault(error)
  }
}
