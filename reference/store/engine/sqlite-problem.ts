import { SqliteDriver } from './sqlite-driver.js'
import { StoreError } from './store-error.js'

/** Runs something, and gives what SQLite throws the form that callers know. */
export function translated<Value>(work: () => Value): Value {
  try {
    return work()
  } catch (error) {
    throw problemOf(error)
  }
}

/** @see https://www.sqlite.org/rescode.html */
export function problemOf(error: unknown): unknown {
  if (!(error instanceof SqliteDriver.SqliteError)) return error
  const { code, message } = error
  if (code === 'SQLITE_CONSTRAINT_UNIQUE' || code === 'SQLITE_CONSTRAINT_PRIMARYKEY') {
    return new StoreError('unique', error, columnsIn(message))
  }
  if (code === 'SQLITE_CONSTRAINT_FOREIGNKEY') return new StoreError('reference', error)
  if (code.startsWith('SQLITE_BUSY')) return new StoreError('busy', error)
  const isTooComplex = /too large|too many|too deep|stack overflow/.test(message)
  return isTooComplex ? new StoreError('tooComplex', error) : error
}

/** `UNIQUE constraint failed: group.mailNickname, group.x` */
function columnsIn(message: string): readonly string[] {
  const [, list = ''] = message.split('failed: ')
  return list.split(', ').map(name => name.slice(name.indexOf('.') + 1))
}
