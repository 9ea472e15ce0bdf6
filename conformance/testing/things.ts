import { loadSpecText, type Service } from '../../spec/language/index.js'
import { createMutantService, generateData } from '../../tests/mutants/index.js'
import type { TestRequest, TestResponse } from '../http/message.js'
import { type ConformanceOptions, type Report, runConformance } from '../index.js'

const { service: loaded, diagnostics } = loadSpecText(
  `
specwright: 1
service: { name: things, title: Things, namespace: things, version: v1 }
authentication: { scheme: bearer }
resources:
  thing:
    kind: entityType
    key: [id]
    properties:
      id: { type: String, computed: true }
      name: { type: String, nullable: true }
      size: { type: Int32, nullable: true }
container: { things: { entitySet: thing } }
queryOptions:
  all:
    select: true
    filter: { operators: [eq, ne, gt, ge, lt, le, and, or, not], functions: [contains, startsWith] }
    orderby: true
    top: { default: 10, max: 100, above: clamp }
    skip: true
    count: true
paths:
  /things: { get: { returns: collection, query: all }, post: { creates: thing } }
  /things/{id}: { get: { returns: item }, delete: { deletes: item } }
open:
  nullOrder: { legal: [first, last, lowest, highest], reference: lowest, description: Where null sorts. }
profiles:
  strict: { nullOrder: lowest }
errors:
  unauthenticated: { status: 401, code: unauthenticated, message: Sign in. }
  notFound: { status: 404, code: notFound, message: None. }
`.replace('scheme: bearer }', 'scheme: bearer, missing: unauthenticated }'),
  'things.yaml',
)
if (loaded === undefined) throw new Error(diagnostics.map(({ message }) => message).join('\n'))
/** A small service with one collection that supports reading, filtering, creating and deleting. */
export const service: Service = loaded

export type Target = (request: Request) => Promise<Response>

export const correct = (): Target => createMutantService({ service, data: generateData(service, { rows: 25 }) })

export const run = (target: ConformanceOptions['target'], options: Partial<ConformanceOptions> = {}): Promise<Report> =>
  runConformance({ spec: service, target, token: 'mutant-token', seed: 1, requests: 200, timeout: 30_000, ...options })

/** Changes a target's responses. */
export const changed = (
  target: Target,
  change: (response: Response, request: Request, number: number) => Response | Promise<Response>,
): Target => {
  let number = 0
  return async request => change(await target(request), request, ++number)
}

export const isList = ({ url, method }: Request): boolean =>
  method === 'GET' && new URL(url).pathname.endsWith('/things')

const isRow = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

export const withBody = async (
  response: Response,
  edit: (body: Record<string, unknown>) => object,
): Promise<Response> => {
  if (response.status !== 200) return response
  const body: unknown = await response.json()
  return Response.json(isRow(body) ? edit(body) : body, { headers: response.headers })
}

export const listRequest = (): Request =>
  new Request('http://service.invalid/v1/things?$top=100', { headers: { authorization: 'Bearer mutant-token' } })

/** A response as the suite records it. */
export function answered(
  ask: TestRequest,
  status: number,
  json: unknown,
  headers: Record<string, string> = {},
): TestResponse {
  const text = json === undefined ? '' : JSON.stringify(json)
  const request = { method: ask.method, url: `http://service.invalid/v1${ask.path}`, headers: {} }
  return {
    testRequest: ask,
    request,
    status,
    headers,
    text,
    ...(json === undefined ? {} : { json }),
    number: 1,
    milliseconds: 1,
  }
}
