import type { AnyCall, ServiceTable } from '../../runtime/server/index.js'
import { StoreError } from '../store/engine/store-error.js'
import { InvalidValue } from '../store/write/invalid-value.js'
import { unavailable } from './read-answer.js'
import { refusalOf } from './refuse.js'

/** What a caller is told about a write that the store refused; the error itself when nobody but us can do something. */
export function writeRefusal(error: unknown, call: AnyCall, table: ServiceTable): unknown {
  if (error instanceof InvalidValue) {
    const reason = { target: error.property, message: error.message }
    return refusalOf('invalidBody', call, table, {
      target: error.property,
      values: { reason: error.message },
      reasons: [reason],
    })
  }
  if (!(error instanceof StoreError)) return error
  switch (error.problem) {
    case 'unique': {
      const names = error.columns.filter(name => !name.startsWith('$'))
      const [target] = names
      const reason =
        names.length === 0
          ? 'There is such an item already.'
          : `There is an item with this ${names.join(' and ')} already.`
      return refusalOf('conflict', call, table, { ...(target === undefined ? {} : { target }), values: { reason } })
    }
    case 'reference':
      return refusalOf('conflict', call, table, { values: { reason: 'Other items refer to this one.' } })
    case 'outOfRange': {
      const reason = 'A value is outside the range that the store can hold.'
      return refusalOf('invalidBody', call, table, { values: { reason } })
    }
    case 'tooComplex': {
      const reason = 'It has more, or longer, values than the store can hold together.'
      return refusalOf('invalidBody', call, table, { values: { reason } })
    }
    default:
      return unavailable(error)
  }
}
