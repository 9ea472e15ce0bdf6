import { RequestFault } from '../../runtime/server/index.js'
import type { Session } from '../store/engine/engine.js'
import { StoreError } from '../store/engine/store-error.js'
import type { Store } from '../store/store.js'

/** Runs what answers a read, and says what a caller can do about it when the store refuses. */
export async function readAnswer<Value>(store: Store, work: (session: Session) => Promise<Value>): Promise<Value> {
  try {
    return await store.engine.read(work)
  } catch (error) {
    throw readRefusal(error)
  }
}

function readRefusal(error: unknown): unknown {
  if (!(error instanceof StoreError)) return error
  switch (error.problem) {
    case 'outOfRange': {
      const reason = 'A number or time in it leaves the range that can be reckoned with.'
      return new RequestFault('malformedQueryOption', { values: { option: 'query', reason } })
    }
    case 'tooComplex': {
      const reason = 'It is longer or more deeply nested than the store can answer.'
      return new RequestFault('unsupportedQueryOption', { values: { option: 'query', reason } })
    }
    default:
      return unavailable(error)
  }
}

/**
 * The store cannot be reached, or others hold it: the caller may try again. What took too long will do so again, unless the
 * caller asks for less; who runs the service learns of it.
 */
export function unavailable(error: StoreError): unknown {
  if (error.problem === 'tooSlow') {
    const reason = 'The answer took longer than it may. Ask for less, or by properties that are indexed.'
    return new RequestFault('serviceUnavailable', { values: { reason } }, error)
  }
  const isPassing = error.problem === 'busy' || error.problem === 'unavailable'
  return isPassing ? new RequestFault('serviceUnavailable', { headers: { 'retry-after': '1' } }) : error
}
