import { StoreError } from '../../../sql/index.js'
import { SqliteError } from './sqlite-drivers/driver.js'

/** Converts errors of SQLite that callers can act on to `StoreError`. */
export function withStoreErrors<Value>(work: () => Value): Value {
  try {
    return work()
  } catch (error) {
    throw toStoreError(error)
  }
}

/** @see https://www.sqlite.org/rescode.html */
export function toStoreError(error: unknown): unknown {
  if (!(error instanceof SqliteError)) return error
  const { code, message } = error
  if (code === 'SQLITE_CONSTRAINT_UNIQUE' || code === 'SQLITE_CONSTRAINT_PRIMARYKEY') {
    return new StoreError('unique', error, columnsIn(message))
  }
  if (code === 'SQLITE_CONSTRAINT_FOREIGNKEY') return new StoreError('reference', error)
  if (code.startsWith('SQLITE_BUSY')) return new StoreError('busy', error)
  if (code === 'SQLITE_INTERRUPT') return new StoreError('tooSlow', error)
  if (code === 'SQLITE_FULL') return new StoreError('full', error)
  // SQLite opens the journal anew for each write. That fails while the process has no free file descriptor, and passes.
  if (code.startsWith('SQLITE_CANTOPEN')) return new StoreError('unavailable', error)
  if (/^SQLITE_(?:CORRUPT|NOTADB|IOERR|READONLY)/.test(code)) return new StoreError('damaged', error)
  const isTooComplex = /too large|too many|too deep|stack overflow/.test(message)
  return isTooComplex ? new StoreError('tooComplex', error) : error
}

/** `UNIQUE constraint failed: group.mailNickname, group.x` */
function columnsIn(message: string): readonly string[] {
  const [, list = ''] = message.split('failed: ')
  return list.split(', ').map(name => name.slice(name.indexOf('.') + 1))
}
