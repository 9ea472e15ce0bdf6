import { absentItemSite } from '../../discover/absent-item.js'
import type { Site } from '../../discover/site.js'
import type { TestResponse } from '../../http/message.js'
import {
  describeResponse,
  inconclusiveVerdict,
  isServerError,
  isStatusOf,
  serverErrorFeatures,
} from '../../rule/response.js'
import type { ActiveRule } from '../../rule/rule.js'
import { failure, type Verdict } from '../../rule/verdict.js'
import type { Session } from '../../session/session.js'

export const headAndOptions: ActiveRule = {
  kind: 'active',
  id: 'head-and-options',
  area: 'protocol',
  statement: 'HEAD is answered like GET without a body, or rejected. OPTIONS is answered or rejected.',
  advice: 'Run the same code for HEAD as for GET and omit the body: an item that does not exist gets 404 for both.',
  aspects: ['methods'],
  covers: ['method.HEAD', 'method.OPTIONS'],
  severity: 'should',
  writes: false,
  cost: 1,
  weight: 2,
  sites: session => {
    const reads = session.sites.filter(({ endpoint }) => endpoint.kind === 'collection' || endpoint.kind === 'item')
    const [first] = reads
    const item = reads.find(site => isItemOfUnknownKey(site, session))
    return [...new Set([first, item])].flatMap(site => site ?? [])
  },
  cases: (site, session) => {
    const [first] = headAndOptions.sites(session)
    return {
      planned: [
        ...(site === first ? [{ name: 'HEAD' }] : []),
        ...(isItemOfUnknownKey(site, session) ? [{ name: 'HEAD', variant: unknownKey }] : []),
        ...(site === first ? [{ name: 'OPTIONS' }] : []),
      ],
    }
  },
  check: async ({ name, variant }, site, session) => {
    if (variant === unknownKey) return headOfUnknown(site, session)
    const response = await session.send({ method: name === 'OPTIONS' ? 'OPTIONS' : 'HEAD', path: site.path })
    const inconclusive = inconclusiveVerdict(response)
    if (inconclusive !== undefined) return inconclusive
    const hasBody = name !== 'OPTIONS' && response.text !== ''
    if (
      name !== 'OPTIONS' &&
      !hasBody &&
      !isServerError(response) &&
      response.status !== 405 &&
      response.status !== 501
    ) {
      const got = await session.send({ method: 'GET', path: site.path })
      const isAnswered = inconclusiveVerdict(got) === undefined && got.status === 200
      if (isAnswered && [204, 404, 410].includes(response.status) && !(await isRejection(response, site, session))) {
        return failure({
          message: `HEAD gets status ${response.status}, although GET gets 200.`,
          expected: 'status 200, or a rejection of the method',
          received: describeResponse(response),
          answers: [response, got],
          features: ['method.HEAD', 'status'],
        })
      }
      const [ofHead, ofGet] = [response, got].map(lengthOf)
      if (isAnswered && ofHead !== undefined && ofGet !== undefined && ofHead !== ofGet) {
        // What is read may have changed between the two.
        const again = await session.send({ method: 'HEAD', path: site.path, headers: { 'cache-control': 'no-cache' } })
        if (lengthOf(again) === ofHead) {
          return failure({
            message: `HEAD has Content-Length: ${ofHead}, but GET has ${ofGet}.`,
            expected: 'the same length, or none (RFC 9110, 8.6)',
            received: describeResponse(response),
            answers: [response, got, again],
            features: ['method.HEAD', 'length'],
          })
        }
      }
    }
    if (!isServerError(response) && !hasBody) return { kind: 'pass', vacuous: response.status >= 400 }
    return failure({
      message: hasBody ? 'A response to HEAD has a body.' : `${name} caused a server error.`,
      expected: hasBody ? 'no body' : 'a response, or a 4xx status or 501',
      received: describeResponse(response),
      answers: [response],
      features: hasBody ? ['method.HEAD', 'body'] : serverErrorFeatures(response.testRequest),
    })
  },
}

const unknownKey = 'unknown key'

function isItemOfUnknownKey(site: Site, session: Session): boolean {
  const { kind, method } = site.endpoint
  return kind === 'item' && method === 'GET' && absentItemSite(site, session) !== undefined
}

/** @see RFC 9110, 9.3.2 */
async function headOfUnknown(site: Site, session: Session): Promise<Verdict> {
  const path = absentItemSite(site, session)?.path
  if (path === undefined) return { kind: 'inconclusive', why: 'no unused key can be generated' }
  const response = await session.send({ method: 'HEAD', path })
  const inconclusive = inconclusiveVerdict(response)
  if (inconclusive !== undefined) return inconclusive
  if (response.status >= 300) return { kind: 'pass', vacuous: response.status !== 404 && response.status !== 410 }
  const got = await session.send({ method: 'GET', path })
  if (inconclusiveVerdict(got) !== undefined || (got.status !== 404 && got.status !== 410)) {
    return { kind: 'pass', vacuous: true }
  }
  return failure({
    message: `HEAD of an item that does not exist gets status ${response.status}, although GET gets ${got.status}.`,
    expected: `status ${got.status}, or a rejection of the method`,
    received: describeResponse(response),
    answers: [response, got],
    features: ['method.HEAD', 'status'],
  })
}

/** The length of the content as the response announces it. A compressed one depends on the request. */
function lengthOf({ status, headers }: TestResponse): string | undefined {
  return status === 200 && headers['content-encoding'] === undefined ? headers['content-length'] : undefined
}

/** Whether the service rejects a method that it does not have with this status: it does so with OPTIONS, too. */
async function isRejection({ status }: TestResponse, { path }: Site, session: Session): Promise<boolean> {
  if (!isStatusOf(status, session.service.faults.methodNotAllowed)) return false
  const options = await session.send({ method: 'OPTIONS', path })
  return options.status === status
}
