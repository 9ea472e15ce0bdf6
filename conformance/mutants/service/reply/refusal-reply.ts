import type { Refusal } from '../behaviour.js'
import type { Arrival } from '../exchange.js'
import type { Reply } from './reply.js'

/** A refusal as an answer. */
export function refusalReply(refusal: Refusal, at: Arrival): Reply {
  if (refusal.kind === 'reply') return refusal.reply
  return at.behaviour.error(refusal.error, refusal.message ?? refusal.error.message, at)
}
