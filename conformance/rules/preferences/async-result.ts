import { onePerEndpoint, type Site } from '../../discover/site.js'
import type { TestResponse } from '../../http/message.js'
import { pause } from '../../http/sender.js'
import { isRow, type Row } from '../../json.js'
import { describeResponse, inconclusiveVerdict } from '../../rule/response.js'
import type { ActiveRule } from '../../rule/rule.js'
import { type Finding, failure, type Verdict } from '../../rule/verdict.js'
import type { Session } from '../../session/session.js'

/** How often to ask a status monitor, and the milliseconds between two questions. */
const questions = 8
const interval = 50

export const asyncResult: ActiveRule = {
  kind: 'active',
  id: 'async-result',
  area: 'preferences',
  statement:
    'A request with `Prefer: respond-async` that gets 202 has a status monitor, which later returns the response to the request.',
  advice:
    'Answer 202 with the URL of the monitor in Location, also while the request runs. Then return 200 with the response: its status in AsyncResult, or all of it as application/http.',
  aspects: ['preference'],
  covers: ['prefer', 'feature.respondAsync'],
  severity: 'must',
  writes: false,
  cost: 4,
  weight: 2,
  sites: ({ sites, service }) =>
    service.features.respondAsync === 'none'
      ? []
      : onePerEndpoint(sites).filter(({ endpoint }) => endpoint.kind === 'collection'),
  cases: () => ({ planned: [{ variant: 'list' }] }),
  check: async (_test, site, session) => {
    const headers = { prefer: 'respond-async', 'odata-maxversion': '4.01' }
    const plain = await session.send({ method: 'GET', path: site.path })
    if (plain.status !== 200 || !isRow(plain.json)) return { kind: 'inconclusive', why: 'the list cannot be read' }
    const accepted = await session.send({ method: 'GET', path: site.path, headers })
    const inconclusive = inconclusiveVerdict(accepted)
    if (inconclusive !== undefined) return inconclusive
    if (accepted.status !== 202) return answeredAtOnce(accepted, session)
    const last = await monitored(accepted, session)
    if (!('status' in last)) return failure(last)
    if (last.status === 202) return { kind: 'inconclusive', why: 'the request has not ended' }
    const unsaid = inconclusiveVerdict(last)
    if (unsaid !== undefined) return unsaid
    return compare(last, plain.json, plain, site, session)
  },
}

/** The last response of a status monitor, or what is wrong with the URL of the monitor. */
async function monitored(accepted: TestResponse, session: Session): Promise<TestResponse | Finding> {
  let last = accepted
  for (let asked = 0; asked < questions && last.status === 202; asked++) {
    const { location } = last.headers
    const base = last.request.url
    const url = location !== undefined && URL.canParse(location, base) ? new URL(location, base) : undefined
    // The request carries the credential.
    if (url?.origin !== new URL(base).origin) return finding('A 202 has no URL of a status monitor.', 'Location', last)
    if (asked > 0) await pause(interval)
    last = await session.send({ method: 'GET', path: url.href, headers: { 'odata-maxversion': '4.01' } })
  }
  return last
}

/** A service can always answer at once, unless the interface requires more. @see RFC 7240, 4.1 */
function answeredAtOnce(response: TestResponse, { service }: Session): Verdict {
  if (response.status === 200 && service.features.respondAsync !== 'required')
    return { kind: 'unsupported', constructs: ['respondAsync'] }
  return failure(finding('A read with Prefer: respond-async has no status monitor.', 'status 202', response))
}

function compare(last: TestResponse, plain: Row, before: TestResponse, site: Site, session: Session): Verdict {
  const result = resultOf(last)
  if (result === undefined || last.status !== 200) {
    const expected = 'status 200 with the response: its status in AsyncResult, or all of it as application/http'
    return failure(finding('A status monitor has no response.', expected, last))
  }
  if (result.status !== 200 || !isRow(result.json)) {
    const message = `A status monitor has the status ${result.status}, but the request alone gets 200.`
    return failure({ ...finding(message, 'the list', last), answers: [last, before] })
  }
  const [expected, received] = [plain, result.json].map(list => JSON.stringify(list['value']))
  if (expected === received) return { kind: 'pass', vacuous: expected === '[]' }
  if (session.snapshot(site)?.complete !== true) return { kind: 'inconclusive', why: 'the list may have changed' }
  const different = finding('A status monitor has another response than the request alone.', 'the same items', last)
  return failure({ ...different, answers: [last, before] })
}

/** The response that a monitor returns. Undefined: the monitor says no status. */
function resultOf({
  headers,
  text,
  json,
}: TestResponse): { readonly status: number; readonly json: unknown } | undefined {
  if (!/^application\/http\b/i.test(headers['content-type'] ?? '')) {
    const status = headers['asyncresult']
    return status === undefined ? undefined : { status: Number(status), json }
  }
  const [, status] = /^HTTP\/\d\.\d (\d{3})/.exec(text) ?? []
  const [, body = ''] = /(?:\r?\n){2}([\s\S]*)$/.exec(text) ?? []
  try {
    return status === undefined ? undefined : { status: Number(status), json: JSON.parse(body) }
  } catch {
    return status === undefined ? undefined : { status: Number(status), json: undefined }
  }
}

function finding(message: string, expected: string, response: TestResponse): Finding {
  return {
    message,
    expected,
    received: describeResponse(response),
    answers: [response],
    features: ['prefer', 'prefer.respond-async'],
  }
}
