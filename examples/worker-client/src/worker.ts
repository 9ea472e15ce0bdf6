import { createDirectory } from './api/client.js'
import { ServiceError } from './api/runtime/client.js'

/** The environment of the worker: the address of the service. */
export interface Environment {
  readonly DIRECTORY_URL: string
}

/** `GET /people?q=ada`: the people found, with their managers, as far as the caller may see them. */
async function people(request: Request, { DIRECTORY_URL }: Environment): Promise<Response> {
  const { pathname, searchParams } = new URL(request.url)
  if (pathname !== '/people') return new Response('Not found', { status: 404 })
  const name = searchParams.get('q')?.trim() ?? ''
  if (name === '') return new Response('Say whom: /people?q=NAME', { status: 400 })
  const directory = createDirectory({
    baseUrl: DIRECTORY_URL,
    // The caller's own credential; the worker has none.
    headers: { authorization: request.headers.get('authorization') ?? '' },
  })
  const page = await directory.users
    .list({
      select: ['displayName', 'jobTitle'],
      expand: { manager: { select: ['displayName'] } },
      search: { displayName: [name] },
      top: 5,
      signal: request.signal,
    })
    .page()
  const found = page.value.map(({ displayName, jobTitle, manager }) => ({
    name: displayName,
    title: jobTitle,
    reportsTo: manager?.displayName ?? null,
  }))
  return Response.json(found, { headers: { 'cache-control': 'private, max-age=60' } })
}

export default {
  fetch: (request: Request, environment: Environment): Promise<Response> =>
    people(request, environment).catch((error: unknown) =>
      error instanceof ServiceError
        ? Response.json({ code: error.code, message: error.message }, { status: error.status })
        : new Response('The directory does not answer.', { status: 502 }),
    ),
}
