import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createDirectory as createDirectoryClient } from '../../generated/directory/client.js'
import { createDirectory as createDirectoryService } from '../../generated/directory/server.js'
import { serviceTable as directoryTable } from '../../generated/directory/service-table.js'
import { createLibrary as createLibraryClient } from '../../generated/library/client.js'
import { createLibrary as createLibraryService } from '../../generated/library/server.js'
import { serviceTable as libraryTable } from '../../generated/library/service-table.js'
import type { Service } from '../../runtime/server/create-service.js'
import { directoryOperations } from './directory-operations.js'
import { libraryOperations } from './library-operations.js'
import { messageFilter } from './message-filters.js'
import { createRecorder, type OperationCase, type Recorder } from './operation-case.js'

const throughService = (service: Service) => (url: string, request: RequestInit) => service(new Request(url, request))

const directory = createRecorder(directoryTable.routes.map(({ name }) => name))
const directoryClient = createDirectoryClient({
  baseUrl: 'https://service.example/v1.0',
  token: 'me',
  fetch: throughService(
    createDirectoryService(directory.handlers, {
      authenticate: () => ({ id: 'me', scopes: directoryTable.routes.flatMap(({ scopes }) => scopes) }),
    }),
  ),
})

const library = createRecorder(libraryTable.routes.map(({ name }) => name))
const libraryClient = createLibraryClient({
  baseUrl: 'https://service.example/v1',
  fetch: throughService(createLibraryService(library.handlers, {})),
})

async function check<Client>(client: Client, made: Recorder, one: OperationCase<Client>): Promise<void> {
  made.answerWith(one.handlerResult)
  const given = await one.call(client)
  const [asked, ...more] = made.takeCalls()
  expect(more).toEqual([])
  expect(asked?.operation).toBe(one.operation)
  expect(asked?.call).toMatchObject(one.handlerCall)
  // The server adds what a handler omits: null, or an empty collection.
  expect({ given }).toMatchObject({ given: one.clientResult })
}

describe('the generated client, with the generated server as its fetch,', () => {
  it.each(directoryOperations)('calls $operation of the Directory service', one =>
    check(directoryClient, directory, one),
  )
  it.each(libraryOperations)('calls $operation of the library', one => check(libraryClient, library, one))

  it('calls every operation of both services', () => {
    expect(directoryOperations.map(({ operation }) => operation).sort()).toEqual(
      directoryTable.routes.map(({ name }) => name).sort(),
    )
    expect(libraryOperations.map(({ operation }) => operation).sort()).toEqual(
      libraryTable.routes.map(({ name }) => name).sort(),
    )
  })
})

const some = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> => fc.option(arbitrary, { nil: undefined })
const names = fc.constantFrom('id', 'subject', 'isRead', 'importance', 'receivedDateTime')
const sortable = fc.constantFrom('subject', 'isRead', 'from/emailAddress/name', 'receivedDateTime')
const nested = fc.constantFrom(true as const, { select: ['id'] } as const)

const messageQuery = fc.record({
  filter: some(messageFilter),
  select: some(fc.uniqueArray(names, { minLength: 1 })),
  orderby: some(
    fc.uniqueArray(fc.tuple(sortable, fc.constantFrom('', ' asc', ' desc')), {
      minLength: 1,
      maxLength: 3,
      selector: ([path]) => path,
    }),
  ),
  expand: some(fc.record({ attachments: nested, singleValueExtendedProperties: nested }, { requiredKeys: [] })),
  top: some(fc.integer({ min: 1, max: 1000 })),
  skip: some(fc.nat({ max: 10_000 })),
  count: some(fc.boolean()),
})

const segments = (path: string) => path.split('/').map(name => ({ kind: 'property', name }))
const given = <T, R>(value: T | undefined, name: string, map: (value: T) => R) =>
  value === undefined ? {} : { [name]: map(value) }

/** An empty object requests nothing. */
function listed(expand: object | undefined): readonly object[] | undefined {
  const items = Object.entries(expand ?? {}).map(([name, options]) => ({
    path: [name],
    ...(options === true ? {} : { options: { select: [{ path: ['id'] }] } }),
  }))
  return items.length === 0 ? undefined : items
}

const itself = <T>(value: T): T => value

describe('a typed query', () => {
  it('reaches the handler as the syntax tree that the client built', async () => {
    await fc.assert(
      fc.asyncProperty(messageQuery, async ({ filter, select, orderby, expand, top, skip, count }) => {
        directory.answerWith({ value: [], count: 0 })
        await directoryClient.me.messages
          .list({
            filter: filter && (f => filter.build(f)),
            select,
            orderby: orderby?.map(([path, direction]) => `${path}${direction}` as const),
            ...(expand === undefined ? {} : { expand }),
            top,
            skip,
            count,
          })
          .page()
        expect(directory.takeCalls()).toEqual([
          {
            operation: 'me.messages.list',
            call: expect.objectContaining({
              query: {
                ...given(filter, 'filter', ({ tree }) => tree),
                ...given(select, 'select', all => all.map(name => ({ path: [name] }))),
                ...given(orderby, 'orderby', all =>
                  all.map(([path, direction]) => ({
                    expression: { kind: 'path', segments: segments(path) },
                    direction: direction === ' desc' ? 'desc' : 'asc',
                  })),
                ),
                ...given(listed(expand), 'expand', itself),
                ...given(top, 'top', itself),
                ...given(skip, 'skip', itself),
                ...given(count, 'count', itself),
              },
            }),
          },
        ])
      }),
      { numRuns: 300 },
    )
  })
})
