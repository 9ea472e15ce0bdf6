import type { Endpoint, ErrorDefinition, Service } from '../../../spec/language/model/index.js'
import { handlerErrors } from '../../../spec/language/table/handler-errors.js'

/** Faults that only some operations can have: these declare their codes themselves. */
const ofSomeOperations: ReadonlySet<string> = new Set([
  'itemNotFound',
  'preconditionFailed',
  'preconditionRequired',
  'conflict',
  'expiredToken',
])

/** Codes of the errors that any operation may answer with, in the order of the protocol. */
export function commonErrorCodes({ authentication, faults }: Service): readonly string[] {
  const { missing, insufficient } = authentication
  const errors = [
    missing,
    insufficient,
    ...Object.entries(faults).flatMap(([fault, error]) => (ofSomeOperations.has(fault) ? [] : [error])),
  ]
  return unique(errors.flatMap(error => error?.code ?? []))
}

/** Codes of the errors that an operation may answer with beside the common ones. */
export function endpointErrorCodes(
  endpoint: Endpoint,
  service: Service,
  common: ReadonlySet<string>,
): readonly string[] {
  const query = 'query' in endpoint ? endpoint.query : undefined
  const errors: readonly ErrorDefinition[] = [
    ...handlerErrors(endpoint, service.faults),
    ...(query?.requires ?? []).map(({ otherwise }) => otherwise),
    ...('ifMatch' in endpoint && endpoint.ifMatch === 'required' ? [service.faults.preconditionRequired] : []),
  ]
  return unique(errors.map(({ code }) => code)).filter(code => !common.has(code))
}

const unique = (codes: readonly string[]): readonly string[] => [...new Set(codes)]
