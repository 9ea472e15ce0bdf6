import { expect, it } from 'vitest'
import { createMutantService, makeData } from '../mutants/index.js'
import { runConformance } from '../run-conformance.js'
import { specOf } from '../testing/rule-bench.js'

const service = specOf('directory')

/** A service where there is nothing at some paths for whoever asks: no mailbox, no drive, no right. */
function lacking(roots: readonly string[], status: number): (request: Request) => Promise<Response> {
  const whole = createMutantService({ service, data: makeData(service, { rows: 12 }) })
  const isLacked = (path: string): boolean => roots.some(root => path === root || path.startsWith(`${root}/`))
  return async request => {
    const isKnown = request.headers.get('authorization') === 'Bearer mutant-token'
    const path = new URL(request.url).pathname.replace('/v1.0', '')
    if (!isKnown || !isLacked(path)) return whole(request)
    return Response.json({ error: { code: 'ErrorItemNotFound', message: 'It is not there.' } }, { status })
  }
}

it.each([
  [404, ['/me/messages']],
  [404, ['/me/drive', '/drive']],
  [404, ['/me/messages', '/me/drive', '/me/calendar', '/me/manager']],
  [403, ['/users', '/groups']],
])('what is answered with %s at %j is nothing that other rules accuse', async (status, roots) => {
  const target = lacking(roots, status)
  const { verdict, violations } = await runConformance({
    ...{ spec: service, target, token: 'mutant-token', seed: 1, requests: 300 },
    only: ['protocol', 'errors', 'authentication', 'advanced-queries', 'items', 'preferences', 'top-skip-count'],
  })
  expect(violations.map(({ rule, site }) => `${rule} ${site}`)).toEqual([])
  expect(verdict).toBe('conforms')
})
