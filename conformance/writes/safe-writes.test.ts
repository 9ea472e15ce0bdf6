import { describe, expect, it } from 'vitest'
import { changed, correct, run } from '../testing/things.js'

/**
 * The addresses that a run changes or deletes, apart from what it created, if creates return this instead of the created
 * item.
 */
async function wrongPaths(location: string, body?: object): Promise<readonly string[]> {
  const own = new Set<string>()
  const paths = new Set<string>()
  const target = changed(correct(), async (response, request) => {
    const { pathname } = new URL(request.url)
    if (request.method === 'DELETE' || request.method === 'PATCH') paths.add(pathname)
    if (request.method !== 'POST' || response.status !== 201) return response
    own.add(new URL(response.headers.get('location') ?? '').pathname)
    return new Response(body === undefined ? null : JSON.stringify(body), {
      status: 201,
      headers: { location, 'content-type': 'application/json' },
    })
  })
  const skip = ['write-not-found']
  const { requests } = await run(target, { allowWrites: true, only: ['writing'], skip, requests: 150 })
  expect(requests).toBeGreaterThan(5)
  expect(own.size).toBeGreaterThan(0)
  return [...paths].filter(path => !own.has(path))
}

describe('what a run changes and deletes', () => {
  it.each([
    ['the collection', '/v1/things'],
    ['the collection with a slash', '/v1/things/'],
    ['the root', '/v1/'],
    ['an item of another host', 'http://elsewhere.invalid/v1/things/1'],
    ['an item with a query', '/v1/things/made-1?x=1'],
    ['an escaped slash', '/v1/things/..%2fthings'],
    ['an item that does not exist', '/v1/things/zzzzzz'],
  ])('is never what a wrong Location names: %s', async (_, location) => {
    expect(await wrongPaths(location)).toEqual([])
  })

  it('is never an item of somebody else that a create returns', async () => {
    const first = await (await correct()(new Request('http://service.invalid/v1/things', bearer))).json()
    const [item] = isList(first) ? first.value : []
    expect(item).toBeDefined()
    expect(await wrongPaths(`/v1/things/${item?.id}`, item)).toEqual([])
    expect(await wrongPaths(`/v1/things/${item?.id}`)).toEqual([])
  })
})

const bearer = { headers: { authorization: 'Bearer mutant-token' } }

function isList(json: unknown): json is { readonly value: readonly { readonly id: unknown }[] } {
  return typeof json === 'object' && json !== null && 'value' in json && Array.isArray(json.value)
}
