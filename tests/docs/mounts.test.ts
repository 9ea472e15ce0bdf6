import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { type Listening, testMountedService } from '../../examples/server-node-http/test/contract.js'
import { portOf } from '../../examples/server-node-http/test/port-of.js'
import { strictest } from '../../generator/testing/compile-errors.js'
import { toNodeListener } from '../../runtime/server/index.js'
import { root } from '../root.js'
import { checkKindOf, codeBlocksOf } from './page.js'

// Types of NestJS, Next.js, SvelteKit and Lambda are declared here as far as the page uses them: the packages are too large to
// install for each test. Those of Koa come from DefinitelyTyped, with twenty packages.

const declarations = `
declare module 'koa' {
  import type { IncomingMessage, Server, ServerResponse } from 'node:http'
  interface Context { readonly path: string; respond?: boolean; readonly req: IncomingMessage; readonly res: ServerResponse }
  export default class Koa {
    use(middleware: (context: Context, next: () => Promise<unknown>) => unknown): this
    listen(port: number): Server
  }
}
declare module '@nestjs/core' {
  import type { IncomingMessage, ServerResponse } from 'node:http'
  interface Application {
    use(path: string, middleware: (request: IncomingMessage, response: ServerResponse, next: () => void) => void): this
    listen(port: number): Promise<unknown>
  }
  export const NestFactory: { create(module: new () => unknown): Promise<Application> }
}
declare module '@sveltejs/kit' {
  export type RequestHandler = (event: { readonly request: Request; readonly url: URL }) => Response | Promise<Response>
}
declare module 'aws-lambda' {
  export interface APIGatewayProxyEventV2 {
    rawPath: string
    rawQueryString: string
    headers: { [name: string]: string | undefined }
    requestContext: { domainName: string; http: { method: string } }
    body?: string
    isBase64Encoded: boolean
  }
  export interface APIGatewayProxyStructuredResultV2 {
    statusCode?: number
    headers?: { [header: string]: boolean | number | string }
    body?: string
    isBase64Encoded?: boolean
  }
}
`

/** What Next.js and Workers require of a module. */
const requirements = `
import * as route from './next.js'
import worker from './workers.js'
type Method = 'GET' | 'HEAD' | 'OPTIONS' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
type RouteHandler = (request: Request, context: { params: Promise<object> }) => Response | Promise<Response>
export const handlers: Record<Method, RouteHandler> = route
export const exported: { fetch(request: Request, env: object, context: object): Response | Promise<Response> } = worker
`

const blocks = new Map(
  codeBlocksOf('docs/mounts.md').flatMap(block => {
    const kind = checkKindOf(block)
    return kind.kind === 'mount' ? [[kind.name, block.text] as const] : []
  }),
)

let folder: string
let compiled: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'specwright-mounts-'))
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'))
  await cp(join(root, 'examples/server-node-http/src/api'), join(folder, 'todo'), { recursive: true })
  const { outDir, ...options } = { ...strictest, outDir: 'out' }
  const compilerOptions = {
    ...options,
    ...{ target: 'es2022', lib: ['es2023', 'dom', 'dom.iterable'], module: 'nodenext', types: ['node'] },
    ...{ skipLibCheck: true, outDir, rootDir: '.', declaration: false, isolatedDeclarations: false },
  }
  const files = {
    'package.json': '{ "type": "module" }',
    'tsconfig.json': JSON.stringify({ compilerOptions, include: ['*.ts', 'todo/**/*.ts'] }),
    'frameworks.d.ts': declarations,
    'requirements.ts': requirements,
    'app.module.ts': 'export class AppModule {}',
    ...Object.fromEntries([...blocks].map(([name, text]) => [`${name}.ts`, text])),
  }
  for (const [path, text] of Object.entries(files)) await writeFile(join(folder, path), text)
  const compiler = join(root, 'node_modules', '.bin', 'tsc')
  compiled = await promisify(execFile)(compiler, ['-p', '.', '--pretty', 'false'], { cwd: folder }).then(
    () => '',
    (error: unknown) => (error instanceof Error && 'stdout' in error ? String(error.stdout) : String(error)),
  )
})
afterAll(() => rm(folder, { recursive: true }))

describe('the page about mounts', () => {
  it('has a mount for each row of its table', () => {
    expect([...blocks.keys()].sort()).toEqual(
      [
        ...['service', 'node', 'express', 'fastify', 'koa', 'hono', 'nest'],
        ...['next', 'svelte', 'workers', 'lambda'],
      ].sort(),
    )
  })

  it('has files that compile under strict flags', () => {
    expect(compiled).toBe('')
  })
})

type Handler = (request: Request) => Promise<Response>

/** What a compiled file of the page exports. It has a service, and so tasks, of its own. */
async function load(name: string): Promise<Readonly<Record<string, unknown>>> {
  const own = join(folder, 'run', name)
  await mkdir(own, { recursive: true })
  await symlink(join(folder, 'out', 'todo'), join(own, 'todo'))
  for (const file of ['service.js', `${name}.js`]) await cp(join(folder, 'out', file), join(own, file))
  process.env['PORT'] = '0'
  return import(/* @vite-ignore */ pathToFileURL(join(own, `${name}.js`)).href)
}

const closing = (server: Server) => () => new Promise(closed => server.close(closed))

async function listening(server: Server): Promise<Listening> {
  if (!server.listening) await new Promise(listens => server.once('listening', listens))
  return { port: portOf(server), close: closing(server) }
}

/** @param argumentOf what the platform passes to the function; the request if absent */
const handlerOf = (value: unknown, argumentOf: (request: Request) => unknown = request => request): Handler => {
  if (typeof value !== 'function') throw new TypeError('The file exports no such function.')
  return request => Promise.resolve(value(argumentOf(request)))
}

describe.each(['node', 'express', 'fastify', 'koa'])('in %s,', name => {
  // Koa prints that a client has disconnected.
  beforeAll(() => void vi.spyOn(console, 'error').mockImplementation(() => {}))
  afterAll(() => void vi.restoreAllMocks())
  testMountedService(async () => {
    const { server } = await load(name)
    if (!(server instanceof Object) || !('listening' in server)) throw new TypeError('The file exports no server.')
    return listening(server as Server)
  })
})

/** The requests of the test arrive over HTTP, and reach the exported function as the platform passes them on. */
describe.each<readonly [string, (exported: Readonly<Record<string, unknown>>) => Handler]>([
  [
    'hono',
    ({ default: app }) =>
      request =>
        handlerOf(Reflect.get(Object(app), 'fetch'))(request),
  ],
  ['workers', ({ default: worker }) => handlerOf(Reflect.get(Object(worker), 'fetch'))],
  ['next', exported => request => handlerOf(exported[request.method])(request)],
  ['svelte', ({ fallback }) => handlerOf(fallback, request => ({ request }))],
  [
    'lambda',
    ({ handler }) =>
      request =>
        throughLambda(handler, request),
  ],
])('in %s,', (name, pick) => {
  testMountedService(async () => {
    const handler = pick(await load(name))
    return listening(createServer(toNodeListener(handler)).listen(0))
  })
})

/** Passes a request on as an event of a function URL. */
async function throughLambda(handler: unknown, request: Request): Promise<Response> {
  const { pathname, search, host } = new URL(request.url)
  const bytes = Buffer.from(await request.arrayBuffer())
  const result: unknown = await Reflect.apply(Object(handler), undefined, [
    {
      rawPath: pathname,
      rawQueryString: search.slice(1),
      headers: Object.fromEntries(request.headers),
      requestContext: { domainName: host, http: { method: request.method } },
      ...(bytes.length === 0 ? {} : { body: bytes.toString('base64') }),
      isBase64Encoded: bytes.length > 0,
    },
  ])
  const { statusCode, headers, body } = Object(result)
  const hasNoBody = request.method === 'HEAD' || statusCode === 204 || statusCode === 304
  return new Response(hasNoBody ? null : Buffer.from(body, 'base64'), { status: statusCode, headers })
}
