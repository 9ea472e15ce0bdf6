import { type Client, createClient } from '../generated/hey-library/client/index.js'
import { booksList, branchesCreate, copiesGet } from '../generated/hey-library/index.js'
import type { BranchCreate, Copy } from '../generated/hey-library/types.gen.js'
import type { Send } from './with-openapi-fetch.js'

/** A client of the library, by the code of @hey-api/openapi-ts. */
export function library(baseUrl: string, token: string, send: Send): Client {
  return createClient({ baseUrl, auth: () => token, fetch: request => send(new Request(request)) })
}

/** Titles by a filter, in order. */
export async function titles(client: Client, filter: string): Promise<readonly (string | undefined)[]> {
  const { data } = await booksList({
    client,
    query: { $filter: filter, $select: ['isbn', 'title'], $orderby: ['title desc', 'isbn'] },
    throwOnError: true,
  })
  return data.value.map(({ title }) => title)
}

/** A copy by its key of two parts, the first of which is a text. */
export async function copy(client: Client, isbn: string, number: number): Promise<Copy> {
  const { data } = await copiesGet({ client, path: { isbn, number }, throwOnError: true })
  return data
}

/** The code of the error that a create is answered with; none when it was created. */
export async function refusal(client: Client, branch: BranchCreate): Promise<string | undefined> {
  const { error } = await branchesCreate({ client, body: branch })
  return error?.error.code
}
