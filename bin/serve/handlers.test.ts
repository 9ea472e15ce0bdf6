import { describe, expect, it } from 'vitest'
import { notImplemented } from '../../runtime/server/index.js'
import { buildServiceTable, loadSpecText } from '../../spec/language/index.js'
import { handlersOf, loadHandlers } from './handlers.js'

const { service } = loadSpecText(
  `
specwright: 1
service: { name: loans, version: v1 }
authentication: { scheme: none }
resources:
  book: { kind: entityType, key: [isbn], properties: { isbn: { type: String } } }
container: { books: { entitySet: book } }
operations:
  lend: { kind: action, binding: book }
  lentTotal: { kind: function, returns: { type: Int32 } }
errors: {}
paths:
  /books: { get: { returns: collection } }
  /books/{isbn}/lend: { post: { calls: lend } }
  /lentTotal(): { get: { calls: lentTotal } }
`,
  'loans.yaml',
)
if (service === undefined) throw new Error('The spec is invalid.')
const table = buildServiceTable(service)
const handlersIn = (loaded: unknown) => handlersOf(loaded, 'h.ts', service, table)
const lend = (): void => {}
const lentTotal = (): number => 1

describe('the handlers of a module', () => {
  it('are found by the names of their routes', () => {
    const found = handlersIn({ handlers: { books: { lend }, lentTotal } }).handlers ?? {}
    expect(Object.keys(found).toSorted()).toEqual(['books.lend', 'lentTotal'])
  })

  it('can be the default export', () => {
    const found = handlersIn({ default: { books: { lend }, lentTotal } }).handlers ?? {}
    expect(Object.keys(found)).toHaveLength(2)
  })

  it('do not include those that are notImplemented', () => {
    const found = handlersIn({ handlers: { books: { lend: notImplemented, list: notImplemented }, lentTotal } })
    expect(Object.keys(found.handlers ?? {})).toEqual(['lentTotal'])
  })

  it('can be an instance of a class with members of its own', () => {
    class Books {
      readonly database = { rows: [] }
      lend(): number {
        return this.database.rows.length
      }
    }
    const found = handlersIn({ handlers: { books: new Books(), lentTotal } }).handlers ?? {}
    expect(Object.keys(found).toSorted()).toEqual(['books.lend', 'lentTotal'])
  })

  it.each<[string, unknown, string]>([
    [
      'a misspelt operation',
      { handlers: { books: { lend }, lentTotl: lentTotal, lentTotal } },
      'Did you mean lentTotal?',
    ],
    ['a misspelt resource', { handlers: { boks: { list: lend }, books: { lend }, lentTotal } }, 'Did you mean books?'],
    [
      'a name like none',
      { handlers: { zzz: lend, books: { lend }, lentTotal } },
      'Operations of the service: books.list,',
    ],
    ['an operation that nobody defines', { handlers: { lentTotal } }, 'books.lend is missing'],
    ['a handler that is no function', { handlers: { books: { lend }, lentTotal: 1 } }, 'lentTotal is no function.'],
    ['a function for a resource', { handlers: { books: lend, lentTotal } }, 'books is no operation of the service.'],
    ['no handlers', { handler: {} }, 'h.ts exports no handlers.'],
    ['a context that is no function', { handlers: { books: { lend }, lentTotal }, context: 1 }, 'is no function'],
  ])('are rejected with %s', (_, loaded, message) => {
    expect(() => handlersIn(loaded)).toThrow(message)
  })

  it('are rejected if the file does not exist', async () => {
    await expect(loadHandlers('nothing.ts', '/', service, table)).rejects.toThrow('nothing.ts is not a file.')
  })
})

describe('the functions of a module', () => {
  const withFunctions = loadSpecText(
    `
specwright: 1
service: { name: loans, version: v1 }
authentication: { scheme: none }
resources:
  book: { kind: entityType, key: [isbn], properties: { isbn: { type: String } } }
container: { books: { entitySet: book } }
operations:
  isRare: { kind: function, binding: book, returns: { type: Boolean } }
  isLong: { kind: function, binding: book, returns: { type: Boolean }, definition: length(isbn) gt 9 }
queryOptions: { all: { filter: { functions: [loans.isRare, loans.isLong] } } }
errors: {}
paths: { /books: { get: { returns: collection, query: all } } }
`,
    'loans.yaml',
  ).service
  const found = (functions: unknown) => {
    if (withFunctions === undefined) throw new Error('The spec is invalid.')
    return handlersOf({ handlers: {}, functions }, 'h.ts', withFunctions, buildServiceTable(withFunctions)).functions
  }
  const isRare = (): boolean => true

  it('are those that queries call and that the spec does not define', () => {
    expect(found({ isRare })).toEqual({ isRare })
  })

  it('can be all that the module exports', () => {
    if (withFunctions === undefined) throw new Error('The spec is invalid.')
    const table = buildServiceTable(withFunctions)
    expect(handlersOf({ functions: { isRare } }, 'h.ts', withFunctions, table)).toEqual({
      handlers: {},
      functions: { isRare },
    })
  })

  it.each([
    [{}, 'functions.isRare is missing: filters can call it, and the spec does not define it.'],
    [undefined, 'functions.isRare is missing'],
    [
      { isRare, isRear: isRare },
      'functions.isRear is not a function that queries can call, or the spec defines it. Did you mean isRare?',
    ],
    [{ isRare, isLong: isRare }, 'functions.isLong is not a function that queries can call, or the spec defines it.'],
    [{ isRare: true }, 'functions.isRare is missing'],
    [1, 'The export functions of h.ts is not an object.'],
  ])('are rejected for %j', (functions, message) => {
    expect(() => found(functions)).toThrow(message)
  })
})
