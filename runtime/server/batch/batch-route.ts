import { readRequestBody } from '../body/json-body.js'
import { RequestFault } from '../errors.js'
import type { ServerRequest } from '../http/message.js'
import { parseMediaType } from '../http/message.js'
import { parsePrefer } from '../http/preferences.js'
import { jsonContentType } from '../response/json-response.js'
import type { Atomically, BatchLimits, ExtraRoute } from '../service-options.js'
import type { ServiceTable } from '../service-table.js'
import { type ParsedBatch, parseJsonBatch, printJsonBatch } from './json-batch.js'
import { parseMultipartBatch, printMultipartBatch } from './multipart-batch.js'
import { type BatchRequest, type BatchRoot, type BatchRun, defaultBatchLimits, runBatch } from './run-batch.js'

export { defaultBatchLimits } from './run-batch.js'

/** What the batches of a service need. */
export interface BatchSettings {
  readonly table: ServiceTable
  /** The path of the service on this server. */
  readonly root: string
  readonly limits: Partial<BatchLimits> | undefined
  /** Runs the requests of an atomicity group. Undefined: a group with several requests gets 501. */
  readonly atomically: Atomically<unknown> | undefined
}

/** The routes of batches, for services with the feature `batch`. */
export type Batches = (settings: BatchSettings) => readonly ExtraRoute[]

/** The number of requests of a batch that run at the same time. */
const maxRunningRequests = 4

/**
 * `$batch`: several requests in one, in JSON or as multipart/mixed. Each is checked and answered as if it had been sent alone,
 * with the credential of the batch.
 *
 * In JSON, the service goes on after a request that fails, unless the caller sends `Prefer: continue-on-error=false`. As
 * multipart, it stops, unless the caller prefers `continue-on-error`.
 *
 * @see OData Protocol 4.01, 11.7 (batch requests); OData JSON Format 4.01, 19
 */
export const batches: Batches = ({ table, root: path, limits: given, atomically }) => {
  const limits = { ...defaultBatchLimits, ...given }
  const handle: ExtraRoute['handle'] = async ({ request, principal, serviceUrl, headers, dispatch }) => {
    const root: BatchRoot = { path, url: serviceUrl }
    const media = parseMediaType(request.head.headers.get('content-type') ?? '')
    const boundary = media?.type === 'multipart/mixed' ? media.parameters.get('boundary') : undefined
    const continues = continuesOnError(request)
    const run = { root, batch: request, principal, dispatch, atomically, batchBytes: limits.batchBytes }
    const applied: Readonly<Record<string, string>> =
      continues === undefined ? {} : { 'preference-applied': `${continues.name}=${continues.value}` }
    if (boundary !== undefined) {
      const bytes = await batchBytesOf(request, table.limits.body)
      const parsed = parseMultipartBatch(bytes, boundary, root, limits)
      const options: BatchRun = { ...run, concurrency: 1, stopsAtError: continues?.value !== true }
      const { contentType, body } = printMultipartBatch(await runBatch(acceptedBatch(parsed, atomically), options))
      return { status: 200, headers: { ...headers, ...applied, 'content-type': contentType }, body }
    }
    const json = await readRequestBody(request, table.limits.body, undefined)
    const parsed = parseJsonBatch(json, root, limits)
    const stopsAtError = continues?.value === false
    const options: BatchRun = { ...run, concurrency: stopsAtError ? 1 : maxRunningRequests, stopsAtError }
    const responses = await runBatch(acceptedBatch(parsed, atomically), options)
    return {
      status: 200,
      headers: { ...headers, ...applied, 'content-type': jsonContentType() },
      body: printJsonBatch(responses, headers['odata-version'] === '4.01'),
    }
  }
  // Some clients encode the dollar sign.
  return ['$', '%24'].map(dollar => ({ method: 'POST', path: `${path}/${dollar}batch`, handle }))
}

/** The requests of a batch that can run. */
function acceptedBatch(
  { requests, problems }: ParsedBatch,
  atomically: Atomically<unknown> | undefined,
): readonly BatchRequest[] {
  if (problems.length > 0) throw new RequestFault('invalidBody', { reasons: problems })
  const divided = requests.find(({ group }, index) => group !== undefined && requests[index + 1]?.group === group)
  if (divided === undefined || atomically !== undefined) return requests
  throw new RequestFault('notImplemented', {
    message: 'The service has no transactions, so the requests of an atomicity group cannot succeed or fail together.',
    target: divided.group ?? '',
  })
}

async function batchBytesOf(request: ServerRequest, limit: number): Promise<Uint8Array> {
  const bytes = await request.readBody(limit)
  if (bytes !== 'tooLarge') return bytes
  throw new RequestFault('payloadTooLarge', { values: { limit, reason: `A body can have at most ${limit} bytes.` } })
}

/** The preference `continue-on-error`, with its name in the request. @see OData Protocol 4.01, 8.2.8.3 */
function continuesOnError({ head }: ServerRequest): { readonly name: string; readonly value: boolean } | undefined {
  const given = parsePrefer(head.headers.get('prefer')).get('continue-on-error')
  return given === undefined ? undefined : { name: given.name, value: given.value.toLowerCase() !== 'false' }
}
