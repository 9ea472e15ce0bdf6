import type { Endpoint, ErrorDefinition } from '../../../spec/language/index.js'
import { absentItemSite } from '../../discover/absent-item.js'
import { diverseFirst, onePerEndpoint, type Site } from '../../discover/site.js'
import { type Credential, credentialTexts, isCredential } from '../../http/credentials.js'
import type { TestRequest } from '../../http/message.js'
import type { Json } from '../../json.js'
import { primitiveOf } from '../../lists/properties.js'
import { pagingOptions, querySite } from '../../lists/related-items.js'
import { readRequest } from '../../rule/query-request.js'
import { describeResponse, errorFinding, inconclusiveVerdict } from '../../rule/response.js'
import type { ActiveRule, TestCase } from '../../rule/rule.js'
import { failure, type Verdict } from '../../rule/verdict.js'
import { pageOf, type Session } from '../../session/session.js'
import { callRequest, isPointInTime, pointInTimeAt } from '../operations/call.js'

export const authenticationRequired: ActiveRule = {
  kind: 'active',
  id: 'authentication-required',
  area: 'authentication',
  statement: 'A request without a valid credential gets 401 on every path, and the response reveals nothing else.',
  advice:
    'Compare the whole credential: its scheme, every character, and the audience and signature of a JSON Web Token. Check the credential in one place, before routing. Then no path is forgotten, and an unauthenticated caller cannot learn from a 404 or a 400 what exists.',
  aspects: ['authentication'],
  covers: ['authentication', 'error.unauthenticated', 'error.forbidden'],
  severity: 'must',
  writes: false,
  cost: 1,
  weight: 20,
  sites: session => (session.service.authentication.scheme === 'none' ? [] : askable(session)),
  cases: (site, session) => {
    const [first, ...others] = askable(session)
    const isFirst = first === site
    // The first site already sends the most requests.
    const isSecond = (others.find(isRead) ?? first) === site
    const mayBeUnknown = isRead(site) && absentItemSite(site, session) !== undefined
    const ofEachKind = (name: string): readonly TestCase[] =>
      isFirst ? otherPaths(session).map((_, index) => ({ variant: 'of each kind', name, numbers: [index] })) : []
    return {
      planned: [
        { variant: 'known', name: 'none' },
        ...(isSecond && isRead(site)
          ? [
              { variant: withCondition, name: 'none' },
              { variant: asHead, name: 'none' },
            ]
          : []),
        ...ofEachKind('in turn'),
        { variant: 'known', name: 'broken' },
        ...(isSecond && isRead(site) ? [{ variant: afterRefusal, name: 'none' }] : []),
        ...(isFirst && session.nearValidCredentials.length > 0 ? [{ variant: 'known', name: nearValid }] : []),
        ...ofEachKind('none'),
        ...(mayBeUnknown ? [{ variant: 'unknown', name: 'none' }] : []),
        ...(firstPageOf(site, session) === undefined ? [] : [{ variant: 'next page', name: 'none' }]),
      ],
    }
  },
  check: async ({ variant, name, numbers: [index = 0] = [] }, site, session) => {
    const { missing } = session.service.authentication
    const sites = variant === 'of each kind' ? otherPaths(session).slice(index, index + 1) : [site]
    const which = variant === 'unknown' ? 'unknown' : 'known'
    const requests =
      variant === 'next page'
        ? await nextPagesOf(site, session)
        : sites.flatMap(each => requestTo(each, which, session) ?? [])
    if (variant === 'next page' && requests.length === 0) return { kind: 'pass', vacuous: true }
    if (!(await mayAsk(site, requests, session))) return { kind: 'pass', vacuous: true }
    if (missing === undefined || requests.length === 0)
      return { kind: 'inconclusive', why: 'there is no URL to request' }
    if (variant === withCondition || variant === asHead) return checkNotAnswered(requests, variant, session)
    if (variant === afterRefusal) return checkNextAnswered(requests, session)
    const credentials = name === nearValid ? session.nearValidCredentials : [name]
    const inTurn: readonly Credential[] = [...session.nearValidCredentials, 'none']
    const chosen = name === 'in turn' ? [inTurn[index % inTurn.length]] : credentials
    const attempts = requests.flatMap(request => chosen.map(credential => ({ request, credential })))
    const verdicts = await Promise.all(
      attempts.map(({ request, credential }) =>
        checkRejected(request, isInvalid(credential) ? credential : 'none', missing, session),
      ),
    )
    return (
      verdicts.find(({ kind }) => kind === 'fail') ?? verdicts.find(({ kind }) => kind !== 'pass') ?? { kind: 'pass' }
    )
  },
}

/** All credentials that resemble the valid one. */
const nearValid = 'near-valid'

type InvalidCredential = Exclude<Credential, 'own'>

function isInvalid(name: unknown): name is InvalidCredential {
  return isCredential(name) && name !== 'own'
}

const withCondition = 'with If-None-Match'
const asHead = 'HEAD'

/** Conditions, and HEAD, are evaluated after the credential. A response to HEAD has no body to check. */
async function checkNotAnswered(
  requests: readonly TestRequest[],
  variant: typeof withCondition | typeof asHead,
  session: Session,
): Promise<Verdict> {
  for (const request of requests) {
    const changed: TestRequest =
      variant === asHead ? { ...request, method: 'HEAD' } : { ...request, headers: { 'if-none-match': '*' } }
    const response = await session.send({ ...changed, credential: 'none' })
    const inconclusive = inconclusiveVerdict(response)
    if (inconclusive !== undefined) return inconclusive
    if (response.status >= 400) continue
    return failure({
      message: `${changed.method} ${variant === asHead ? '' : `${variant} `}${credentialTexts.none} got status ${response.status}.`,
      expected: 'status 401',
      received: describeResponse(response),
      answers: [response],
      features: ['no credential', variant],
    })
  }
  return { kind: 'pass' }
}

const afterRefusal = 'after a refusal'
/** Not each time does the valid request arrive right after the refused one. */
const maxRefusals = 3

/** A refused credential does not affect other requests: HTTP is stateless (RFC 9110, 3.3). */
async function checkNextAnswered(requests: readonly TestRequest[], session: Session): Promise<Verdict> {
  let isRefused = false
  for (const request of requests) {
    // The response must be new, not one that is known. To the engine, different headers are different requests.
    const valid: TestRequest = { ...request, headers: { 'cache-control': 'no-cache' } }
    const repeated: TestRequest = { ...request, headers: { 'cache-control': 'max-age=0' } }
    for (let round = 0; round < maxRefusals; round++) {
      // Sent at once, so that no request of another check comes between.
      const [refused, next] = await Promise.all([session.send({ ...request, credential: 'none' }), session.send(valid)])
      isRefused ||= refused.status === 401
      if (refused.status !== 401 || next.status !== 401) continue
      const again = await session.send(repeated)
      if (again.status >= 300) return { kind: 'inconclusive', why: `the credential is refused: status ${again.status}` }
      return failure({
        message: `The valid credential got status 401 after a request ${credentialTexts.none}; repeated, it got status ${again.status}.`,
        expected: `status ${again.status} at once`,
        received: describeResponse(next),
        answers: [next, refused, again],
        features: ['own credential', afterRefusal],
      })
    }
  }
  return { kind: 'pass', vacuous: !isRefused }
}

async function checkRejected(
  request: TestRequest,
  credential: InvalidCredential,
  missing: ErrorDefinition,
  session: Session,
): Promise<Verdict> {
  const response = await session.send({ ...request, credential })
  if (response.transportError !== undefined)
    return { kind: 'inconclusive', why: `no response: ${response.transportError}` }
  if (response.status === 429 || response.status === 503) return { kind: 'inconclusive', why: 'it was busy' }
  const finding = errorFinding(response, missing, session)
  if (finding === undefined) return { kind: 'pass' }
  return failure({
    ...finding,
    message: `${request.method} ${credentialTexts[credential]} got ${describeResponse(response).split(':', 1)[0]}.`,
    features: [...finding.features, credential === 'none' ? 'no credential' : `${credential} credential`],
  })
}

/** The request of a page that has a next link; absent if the site is no list of several pages. */
function firstPageOf(site: Site, session: Session): TestRequest | undefined {
  const found = querySite(site)
  if (found?.endpoint.kind !== 'collection') return undefined
  const options = pagingOptions(found, session, 3)
  return options === undefined ? undefined : readRequest(site, options)
}

/** The request that a next link describes: the token in the link is no credential. */
async function nextPagesOf(site: Site, session: Session): Promise<readonly TestRequest[]> {
  const request = firstPageOf(site, session)
  if (request === undefined) return []
  const { pages, end } = await session.list(request, { pages: 1 })
  const [first] = pages
  const link = first === undefined ? undefined : pageOf(first)?.nextLink
  if (first === undefined || link === undefined || end !== 'truncated') return []
  return [{ method: 'GET', path: new URL(link, first.request.url).href }]
}

/** The number of paths that the first site also covers. */
const pathsTried = 20

/**
 * One site of each path that can be read: each path may have its own check. The first site covers them, with a different
 * credential for each path first, so that a few requests cover the paths and the credentials.
 */
function otherPaths(session: Session): readonly Site[] {
  const queries = askable(session).filter(each => isQuery(each) && !isOptionalFunction(each.endpoint))
  return queries.slice(1, 1 + pathsTried)
}

function askable(session: Session): readonly Site[] {
  return diverseFirst(onePerEndpoint(session.sites).filter(site => requestTo(site, 'known', session) !== undefined))
}

/** Reads and calls that change nothing. */
function isQuery(site: Site): boolean {
  return isRead(site) || site.endpoint.kind === 'call'
}

function isRead({ endpoint }: Site): boolean {
  return endpoint.method === 'GET'
}

/** Where a service need not have an operation, it has it if it answers the caller's own credential. */
async function mayAsk({ endpoint }: Site, [request]: readonly TestRequest[], session: Session): Promise<boolean> {
  if (!isOptionalFunction(endpoint) || request === undefined) return true
  return (await session.send(request)).status < 300
}

function isOptionalFunction(endpoint: Endpoint): boolean {
  return endpoint.kind === 'call' && endpoint.support !== 'required' && endpoint.path.template.includes('={')
}

/** A call of a function with arguments of the right form. */
function functionRequest(site: Site): TestRequest | undefined {
  const { endpoint } = site
  if (endpoint.kind !== 'call' || endpoint.method !== 'GET') return undefined
  const given = endpoint.operation.parameters.map((parameter, index): readonly [string, Json] => {
    const { name, type, collection } = parameter
    if (collection) return [name, []]
    if (isPointInTime(parameter)) return [name, pointInTimeAt(moments, Math.min(index, 1), parameter)]
    const primitive = primitiveOf(type)
    return [name, primitive === 'String' ? 'a' : primitive === 'Boolean' ? true : 1]
  })
  return callRequest(site, Object.fromEntries(given))
}

const moments = ['2024-01-01T00:00:00Z', '2024-12-31T00:00:00Z']

/**
 * The request to send to a site. It must not change anything even if the service does not check the credential: it
 * addresses an item that does not exist, has an invalid value, or updates no property.
 */
function requestTo(site: Site, which: 'known' | 'unknown', session: Session): TestRequest | undefined {
  const { endpoint } = site
  if (endpoint.kind === 'call') {
    if (endpoint.path.template.includes('={')) return functionRequest(site)
    const isQuery = endpoint.method === 'GET' || endpoint.operation.meaning !== undefined
    if (!isQuery) return undefined
    return endpoint.method === 'GET'
      ? { method: 'GET', path: site.path }
      : { method: 'POST', path: site.path, body: {} }
  }
  if (endpoint.method === 'GET') {
    const at = which === 'unknown' ? absentItemSite(site, session) : site
    return at === undefined ? undefined : { method: 'GET', path: at.path }
  }
  if (session.ledger === undefined) return undefined
  if (endpoint.kind === 'create') {
    const property = endpoint.type.properties.find(({ type, computed }) => !computed && primitiveOf(type) !== undefined)
    const body = property === undefined ? undefined : { [property.name]: { no: 'such value' } }
    return body === undefined ? undefined : { method: 'POST', path: site.path, body }
  }
  if (endpoint.method === 'PATCH' && endpoint.keys.length === 0) {
    return session.ledger.mayChange ? { method: 'PATCH', path: site.path, body: {} } : undefined
  }
  const nowhere = absentItemSite(site, session)
  if (nowhere === undefined) return undefined
  const body = endpoint.method === 'DELETE' ? {} : { body: {} }
  return { method: endpoint.method, path: nowhere.path, ...body }
}
