import { ServiceError } from './api/runtime/client.js'

/** The message for the user if a call failed: the error of the service, or that it did not answer. */
export function explain(error: unknown): string {
  if (error instanceof ServiceError) return `The service answers ${error.status} ${error.code}: ${error.message}`
  if (!(error instanceof Error)) throw error
  const cause = error.cause instanceof Error ? ` (${error.cause.message})` : ''
  return error.name === 'TimeoutError' ? 'No answer in time.' : `No answer: ${error.message}${cause}`
}
