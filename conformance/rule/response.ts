import type { ErrorDefinition, Service } from '../../spec/language/index.js'
import type { TestRequest, TestResponse } from '../http/message.js'
import type { Session } from '../session/session.js'
import type { Finding, Verdict } from './verdict.js'

/**
 * Whether a response rejects the request as the interface says: status 4xx or 501 with a well-formed error body. 401
 * and 429 reject the caller, not the request, and do not count.
 */
export function isRejection(response: TestResponse, session: Pick<Session, 'service'>): boolean {
  const { status } = response
  if (response.transportError !== undefined || status === 401 || status === 429) return false
  return (
    ((status >= 400 && status < 500) || status === 501) && errorShapeProblem(response, session.service) === undefined
  )
}

/** The error in a response; absent if the body is malformed. */
export function errorBodyOf(response: TestResponse): { readonly code: string; readonly message: string } | undefined {
  const error = member(response.json, 'error')
  const code = member(error, 'code')
  const message = member(error, 'message')
  return typeof code === 'string' && typeof message === 'string' ? { code, message } : undefined
}

/** Whether an error may have a status: its own, or one of its legal alternatives. */
export function isStatusOf(status: number, error: ErrorDefinition): boolean {
  return status === error.status || error.legal.some(legal => isOfClass(status, legal))
}

/** What is wrong with an error body; absent if it is well-formed. */
export function errorShapeProblem(response: TestResponse, service: Pick<Service, 'errorBody'>): string | undefined {
  if (response.json === undefined) return response.text === '' ? 'an empty body' : 'a body that is not JSON'
  const error = member(response.json, 'error')
  if (typeof error !== 'object' || error === null || Array.isArray(error)) return 'a body without an object `error`'
  for (const name of new Set(['code', 'message', ...service.errorBody.required])) {
    const value = member(error, name)
    if (value === undefined) return `an error without \`${name}\``
    if (name !== 'code' && name !== 'message') continue
    if (typeof value !== 'string') return `an error whose \`${name}\` is not a string`
    if (value.trim() === '') return `an error whose \`${name}\` is empty`
  }
  return undefined
}

/**
 * Checks that a response is one of the given errors, with the right status and a well-formed body. A response to HEAD
 * has no body.
 *
 * @param errors any of them is correct; messages name the first
 * @returns absent if the response is correct, or there is none
 */
export function errorFinding(
  response: TestResponse,
  errors: ErrorDefinition | readonly [ErrorDefinition, ...ErrorDefinition[]],
  session: Pick<Session, 'service'>,
): Finding | undefined {
  if (response.transportError !== undefined) return undefined
  const [first, ...others] = 'status' in errors ? [errors] : errors
  const received = describeResponse(response)
  const features = [`error.${first.name}`]
  const expected = `${statusText([first, ...others])} with an error object`
  if (![first, ...others].some(error => isStatusOf(response.status, error))) {
    const message =
      response.status < 400
        ? `It returned ${response.status} instead of the error ${first.name}.`
        : `The error ${first.name} came with status ${response.status}.`
    return {
      message,
      expected,
      received,
      answers: [response],
      features: isServerError(response)
        ? serverErrorFeatures(response.testRequest)
        : [...features, response.status < 400 ? 'accepted' : 'status'],
    }
  }
  const problem = response.testRequest.method === 'HEAD' ? undefined : errorShapeProblem(response, session.service)
  if (problem === undefined) return undefined
  return {
    message: `The error ${first.name} came with ${problem}.`,
    expected,
    received,
    answers: [response],
    features: ['error.shape'],
  }
}

function statusText(errors: readonly ErrorDefinition[]): string {
  const statuses = new Set(errors.flatMap(({ status, legal }) => [status, ...legal]))
  return `status ${[...statuses].join(' or ')}`
}

function isOfClass(status: number, legal: number | '4xx' | '5xx'): boolean {
  if (legal === '4xx') return status >= 400 && status < 500 && status !== 401 && status !== 429
  if (legal === '5xx') return status >= 500 && status < 600
  return status === legal
}

function member(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined
  return new Map(Object.entries(value)).get(name)
}

/**
 * The verdict if a response proves nothing about the service: no connection, too many requests, a gateway error, or a
 * rejected credential. Absent if the response can be checked.
 */
export function inconclusiveVerdict(response: TestResponse): Extract<Verdict, { kind: 'inconclusive' }> | undefined {
  if (response.transportError !== undefined)
    return { kind: 'inconclusive', why: `no response: ${response.transportError}` }
  const isOwn = (response.testRequest.credential ?? 'own') === 'own'
  if ((response.status === 401 || response.status === 403) && isOwn) {
    return { kind: 'inconclusive', why: `the credential has no permission: status ${response.status}` }
  }
  if (response.mayHideForbidden && isOwn) {
    return {
      kind: 'inconclusive',
      why: 'the credential may have no permission: every request there returned 404',
    }
  }
  return busyStatuses.has(response.status)
    ? { kind: 'inconclusive', why: `the service was busy: status ${response.status}` }
    : undefined
}

const busyStatuses: ReadonlySet<number> = new Set([408, 425, 429, 502, 503, 504])

/** The status of a response and the beginning of its body, for `received`. */
export function describeResponse(response: TestResponse): string {
  if (response.transportError !== undefined) return `no response: ${response.transportError}`
  const text = response.text.trim().replaceAll(/\s+/gu, ' ')
  if (text === '') return `status ${response.status} without a body`
  return `status ${response.status}: ${text.length > 300 ? `${text.slice(0, 300)}…` : text}`
}

/** Whether the service failed internally. 501 (not implemented) and gateway errors do not count. */
export function isServerError({ status }: TestResponse): boolean {
  return status >= 500 && status !== 501 && (status < 502 || status > 504)
}

/** Features of a server error. They depend on the request only, so that all rules report the same one. */
export function serverErrorFeatures(request: TestRequest): readonly string[] {
  const options = request.options === undefined ? [] : Object.keys(request.options).filter(name => name !== 'aliases')
  const raw = [...new URLSearchParams(request.rawQuery ?? '').keys()].map(name => name.replace(/^\$/, ''))
  const names = [...new Set([...options, ...raw])].sort()
  return ['error.internalError', ...(request.method === 'GET' ? names : [request.method, ...names])]
}
