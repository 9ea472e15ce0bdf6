import {
  type ExtraRoute,
  jsonContentType,
  parseMediaType,
  parsePrefer,
  RequestFault,
  readRequestBody,
  type ServerRequest,
  type ServiceTable,
} from '../../../runtime/server/index.js'
import type { Atomically } from '../../store/engines/atomic.js'
import { dollarPaths } from '../metadata.js'
import type { BatchLimits, BatchRoot } from './batch-request.js'
import { type ParsedBatch, parseJsonBatch, printJsonBatch } from './json-batch.js'
import { parseMultipartBatch, printMultipartBatch } from './multipart-batch.js'
import { type BatchRun, runBatch } from './run-batch.js'

/** The number of requests of a batch that run at the same time. */
const maxRunning = 4

/**
 * `$batch`: several requests in one, in JSON or as multipart/mixed. Each is checked and answered as if it had been sent alone,
 * with the credential of the batch.
 *
 * In JSON, the service goes on after a request that fails, unless the caller sends `Prefer: continue-on-error=false`. As
 * multipart, it stops, unless the caller prefers `continue-on-error`.
 *
 * @see OData Protocol 4.01, 11.7 (batch requests); OData JSON Format 4.01, 19
 */
export function batchRoute(
  table: ServiceTable,
  limits: BatchLimits,
  atomically: Atomically | undefined,
): readonly ExtraRoute[] {
  const handle: ExtraRoute['handle'] = async ({ request, serviceUrl, headers, dispatch }) => {
    const root: BatchRoot = { path: `/${table.version}`, url: serviceUrl }
    const media = parseMediaType(request.head.headers.get('content-type') ?? '')
    const boundary = media?.type === 'multipart/mixed' ? media.parameters.get('boundary') : undefined
    const continues = continuesOnError(request)
    const run = { root, batch: request, dispatch, atomically, batchBytes: limits.batchBytes }
    const applied = continues === undefined ? {} : { 'preference-applied': `continue-on-error=${continues}` }
    if (boundary !== undefined) {
      const bytes = await bodyOf(request, table.limits.body)
      const parsed = parseMultipartBatch(bytes, boundary, root, limits, atomically !== undefined)
      const options: BatchRun = { ...run, concurrency: 1, stopsAtError: continues !== true }
      const { contentType, body } = printMultipartBatch(await runBatch(accepted(parsed), options))
      return { status: 200, headers: { ...headers, ...applied, 'content-type': contentType }, body }
    }
    const json = await readRequestBody(request, table.limits.body, undefined)
    const parsed = parseJsonBatch(json, root, limits, atomically !== undefined)
    const stopsAtError = continues === false
    const options: BatchRun = { ...run, concurrency: stopsAtError ? 1 : maxRunning, stopsAtError }
    const responses = await runBatch(accepted(parsed), options)
    return {
      status: 200,
      headers: { ...headers, ...applied, 'content-type': jsonContentType() },
      body: printJsonBatch(responses, headers['odata-version'] === '4.01'),
    }
  }
  return dollarPaths(table, 'batch').map(path => ({ method: 'POST', path, handle }))
}

function accepted({ requests, problems }: ParsedBatch): ParsedBatch['requests'] {
  if (problems.length > 0) throw new RequestFault('invalidBody', { reasons: problems })
  return requests
}

async function bodyOf(request: ServerRequest, limit: number): Promise<Uint8Array> {
  const bytes = await request.readBody(limit)
  if (bytes !== 'tooLarge') return bytes
  throw new RequestFault('payloadTooLarge', { values: { limit, reason: `A body can have at most ${limit} bytes.` } })
}

/** The preference `continue-on-error`; undefined without it. @see OData Protocol 4.01, 8.2.8.3 */
function continuesOnError({ head }: ServerRequest): boolean | undefined {
  const value = parsePrefer(head.headers.get('prefer')).get('continue-on-error')?.value
  return value === undefined ? undefined : value.toLowerCase() !== 'false'
}
