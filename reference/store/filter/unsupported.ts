import { RequestFault } from '../../../runtime/server/index.js'

/** Refuses what a query may say but this store cannot answer. */
export function unsupported(option: string, reason: string): RequestFault {
  return new RequestFault('unsupportedQueryOption', { target: option, values: { option, reason } })
}
