import createClient from 'openapi-fetch'
import type { paths } from '../generated/directory.js'

/** Sends a request, to a service in the same process or with `fetch`. */
export type Send = (request: Request) => Promise<Response>

/** The subjects of the signed-in person's newest mail, with types from openapi-typescript. */
export async function newestSubjects(baseUrl: string, token: string, fetch: Send): Promise<readonly (string | null)[]> {
  const client = createClient<paths>({
    baseUrl,
    fetch,
    headers: { authorization: `Bearer ${token}` },
    // openapi-fetch ignores that the description separates list items by commas.
    querySerializer: { array: { style: 'form', explode: false } },
  })
  const { data, error } = await client.GET('/me/messages', {
    params: { query: { $select: ['id', 'subject'], $orderby: ['receivedDateTime desc'], $top: 2 } },
  })
  if (error !== undefined) throw new Error(error.error.message)
  return data.value.map(({ subject }) => subject ?? null)
}

/** The reminders of the signed-in person between two timestamps, which are strings in the path. */
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
