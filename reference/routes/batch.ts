import { readRequestBody } from '../../runtime/server/body/read-request-body.js'
import { type ExtraRoute, RequestFault, type ServiceTable } from '../../runtime/server/index.js'
import { jsonContentType } from '../../runtime/server/response/json-content-type.js'
import { batchResponse } from './batch/batch-response.js'
import { readBatch } from './batch/read-batch.js'
import { runBatch } from './batch/run-batch.js'
import { dollarPaths } from './dollar-paths.js'

/**
 * `$batch` in JSON: up to 20 requests in one. Each is checked and answered as if it had come by itself, with the
 * credential of the batch.
 *
 * @see OData JSON Format 4.01, 19 (batch requests and responses)
 */
export function batchRoute(table: ServiceTable): readonly ExtraRoute[] {
  const root = `/${table.version}`
  const answer: ExtraRoute['answer'] = async ({ incoming, serviceUrl, headers, dispatch }) => {
    const json = await readRequestBody(incoming, table.limits.body, undefined)
    const { requests, problems } = readBatch(json, { path: root, url: serviceUrl })
    if (problems.length > 0) throw new RequestFault('invalidBody', { reasons: problems })
    const answers = await runBatch(requests, incoming, dispatch)
    const responses = answers.map((each, index) => batchResponse(requests[index]?.id ?? '', each))
    return {
      status: 200,
      headers: { ...headers, 'content-type': jsonContentType('minimal') },
      body: `{"responses":[${responses.join(',')}]}`,
    }
  }
  return dollarPaths(table, 'batch').map(path => ({ method: 'POST', path, answer }))
}
