import {
  type AnyCall,
  Failure,
  type FaultDetails,
  RequestFault,
  type ServiceTable,
} from '../../runtime/server/index.js'

/** Faults that handlers find. */
export type HandlerFault =
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
export function refusalOf(
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
