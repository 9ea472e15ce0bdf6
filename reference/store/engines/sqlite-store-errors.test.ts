import { describe, expect, it } from 'vitest'
import { SqliteError } from './sqlite-drivers/driver.js'
import { toStoreError } from './sqlite-store-errors.js'

describe('errors of SQLite', () => {
  it.each([
    ['SQLITE_CONSTRAINT_UNIQUE', 'UNIQUE constraint failed: group.mailNickname', 'unique'],
    ['SQLITE_CONSTRAINT_FOREIGNKEY', 'FOREIGN KEY constraint failed', 'reference'],
    ['SQLITE_BUSY_SNAPSHOT', 'database is locked', 'busy'],
    ['SQLITE_FULL', 'database or disk is full', 'full'],
    ['SQLITE_CORRUPT', 'database disk image is malformed', 'damaged'],
    ['SQLITE_IOERR_READ', 'disk I/O error', 'damaged'],
    ['SQLITE_CANTOPEN', 'unable to open database file', 'unavailable'],
    ['SQLITE_ERROR', 'Expression tree is too large (maximum depth 1000)', 'tooComplex'],
  ])('%s (%s) is: %s', (code, message, kind) => {
    expect(toStoreError(new SqliteError(code, message))).toMatchObject({ kind })
  })

  it('that callers cannot act on stay as they are', () => {
    const error = new SqliteError('SQLITE_MISUSE', 'bad parameter or other API misuse')
    expect(toStoreError(error)).toBe(error)
    expect(toStoreError('text')).toBe('text')
  })
})
