import { parentPort, workerData } from 'node:worker_threads'
import {
  batches,
  createService,
  type Principal,
  propertyTargets,
  type RequestHead,
  type ServerRequest,
  type ServerResponse,
  type ServiceTable,
  transformations,
} from '../../runtime/server/index.js'
import type { Service } from '../../spec/language/index.js'
import { tokenSigner } from '../handlers/continuation-token.js'
import { genericHandlers } from '../handlers/generic-handlers.js'
import { publicAddressOf } from '../handlers/handler-context.js'
import { yieldToMainThread } from '../store/engines/engine.js'
import { openReader, type SharedStore } from '../store/engines/open-engine.js'
import type { StoreIdentity } from '../store/migrations/migrate.js'
import { buildSchema } from '../store/schema/build-schema.js'
import type { Store } from '../store/store.js'
import { createNormaliser } from '../store/values/normaliser.js'

// The program of a reader thread: the same server core and handlers as in the main thread, over connections that only read.

/** What a thread is started with. */
export interface ReaderData {
  readonly service: Service
  readonly table: ServiceTable
  readonly identity: StoreIdentity
  readonly store: SharedStore
  readonly root: string
  readonly publicUrl: string | undefined
  readonly readMilliseconds: number
  readonly statementTimeout: number | undefined
  readonly responseBytes: number
  /** The number of the read that has to end, in shared memory. */
  readonly cancelled: Int32Array
}

/** A request to read. */
export interface ReaderRequest {
  readonly method: string
  readonly url: string
  /** Those that the server core reads, by name in lower case. */
  readonly headers: Readonly<Record<string, string>>
  /** The caller, whose scopes the main thread has checked. */
  readonly principal: Principal
  /** The time in milliseconds since 1970. */
  readonly now: number
}

/** What the thread is asked. */
interface ReaderQuestion {
  readonly number: number
  readonly request: ReaderRequest
}

/** What the thread sends back. */
export type ReaderAnswer =
  | { readonly kind: 'ready' }
  | {
      readonly kind: 'answer'
      readonly number: number
      readonly response: ServerResponse
      /** An unexpected error, for the log. */
      readonly problem?: { readonly name: string; readonly message: string; readonly stack: string | undefined }
    }

/** Text is sent as the bytes of the response, which change hands without a copy. */
const encoder = new TextEncoder()

async function main(data: ReaderData, port: NonNullable<typeof parentPort>): Promise<void> {
  const { service, table, identity, root, publicUrl } = data
  let clock = 0
  let current = 0
  let deadline = Number.POSITIVE_INFINITY
  const engine = await openReader(data.store, {
    statementTimeout: data.statementTimeout,
    patternSteps: table.limits.patternSteps,
    readMilliseconds: data.readMilliseconds,
    isOver: () => performance.now() > deadline || Atomics.load(data.cancelled, 0) === current,
  })
  const store: Store = {
    service,
    table,
    schema: buildSchema(service),
    engine,
    atomically: work => engine.write(work),
    isAtomic: () => false,
    identity,
    normalise: createNormaliser(service, engine.dialect),
    now: () => new Date(clock),
  }
  const principals = new WeakMap<RequestHead, Principal>()
  const problems = new WeakMap<RequestHead, Error>()
  const answer = createService(
    table,
    genericHandlers({
      store,
      signer: tokenSigner(identity),
      publicAddress: publicAddressOf(publicUrl, root),
    }),
    {
      root,
      atomically: store.atomically,
      ...(publicUrl === undefined ? {} : { publicUrl }),
      authenticate: head => principals.get(head),
      onError: (error, head) => {
        problems.set(head, error instanceof Error ? error : new Error(String(error)))
      },
    },
    { batches, propertyTargets, transformations },
  )
  const run = async ({ number, request }: ReaderQuestion): Promise<void> => {
    const asked = requestOf(request)
    principals.set(asked.head, request.principal)
    clock = request.now
    current = number
    deadline = performance.now() + data.readMilliseconds
    const { status, headers, body } = await answer.handle(asked)
    const bytes = typeof body === 'string' ? encoder.encode(body).buffer : body
    const error = problems.get(asked.head)
    const problem = error && { name: error.name, message: error.message, stack: error.stack }
    const message: ReaderAnswer = {
      kind: 'answer',
      number,
      response: { status, headers, body: bytes },
      ...(problem === undefined ? {} : { problem }),
    }
    port.postMessage(message, bytes === undefined ? [] : [bytes])
  }
  port.on('message', (question: ReaderQuestion) => void run(question))
  const ready: ReaderAnswer = { kind: 'ready' }
  port.postMessage(ready)
}

function requestOf({ method, url, headers }: ReaderRequest): ServerRequest {
  const { signal } = new AbortController()
  const pathStart = url.indexOf('/', url.indexOf('://') + 3)
  return {
    head: { method, url, headers: { get: name => headers[name.toLowerCase()] ?? null }, signal },
    origin: url.slice(0, pathStart),
    target: url.slice(pathStart),
    readBody: async () => new Uint8Array(0),
  }
}

yieldToMainThread()
if (parentPort !== null) await main(workerData, parentPort)
