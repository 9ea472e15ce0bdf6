import type { ErrorDefinition } from '../../../../spec/language/index.js'
import type { Arrival } from '../exchange.js'
import type { Reply } from './reply.js'

/** An error as the spec shapes it. */
export function errorReply(error: ErrorDefinition, message: string, { service }: Arrival): Reply {
  const challenge = error === service.authentication.missing ? { 'WWW-Authenticate': 'Bearer' } : {}
  return { status: error.status, headers: challenge, json: { error: { code: error.code, message } } }
}
