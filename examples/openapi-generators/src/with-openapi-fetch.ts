import createClient from 'openapi-fetch'
import type { paths } from '../generated/directory.js'

/** Sends a request: a service in the same process, or `fetch`. */
export type Send = (request: Request) => Promise<Response>

/** The subjects of the signed-in person's newest mail, by the types of openapi-typescript. */
export async function newestSubjects(baseUrl: string, token: string, fetch: Send): Promise<readonly (string | null)[]> {
  const client = createClient<paths>({
    baseUrl,
    fetch,
    headers: { authorization: `Bearer ${token}` },
    // It does not read from the description that lists of names have commas between them.
    querySerializer: { array: { style: 'form', explode: false } },
  })
  const { data, error } = await client.GET('/me/messages', {
    params: { query: { $select: ['id', 'subject'], $orderby: ['receivedDateTime desc'], $top: 2 } },
  })
  if (error !== undefined) throw new Error(error.error.message)
  return data.value.map(({ subject }) => subject ?? null)
}

/** What reminds the signed-in person between two moments, which stand as texts in the path. */
export async function remindersBetween(
  baseUrl: string,
  token: string,
  fetch: Send,
  window: { readonly startDateTime: string; readonly endDateTime: string },
): Promise<readonly (string | null)[]> {
  const client = createClient<paths>({ baseUrl, fetch, headers: { authorization: `Bearer ${token}` } })
  const { data, error } = await client.GET(
    "/me/reminderView(startDateTime='{startDateTime}',endDateTime='{endDateTime}')",
    { params: { path: window } },
  )
  if (error !== undefined) throw new Error(error.error.message)
  return data.value.map(({ eventSubject }) => eventSubject ?? null)
}
