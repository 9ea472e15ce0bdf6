import type { ErrorDefinition, Service } from '../../spec/language/index.js'
import type { TestRequest, TestResponse } from '../http/message.js'
import type { Session } from '../session/session.js'
import type { Finding, Verdict } from './rule.js'

/** The members of an error body: `error` of the declared shape. */
interface ErrorBody {
  readonly code: string
  readonly message: string
}

/**
 * Whether an answer refuses the request as the interface has it: a status of 4xx or 501 with an error body in the declared
 * shape. 401 and 429 refuse the caller, not what was asked, and are none.
 */
export function isRejection(answer: TestResponse, session: Pick<Session, 'service'>): boolean {
  const { status } = answer
  if (answer.transportError !== undefined || status === 401 || status === 429) return false
  return ((status >= 400 && status < 500) || status === 501) && errorShapeProblem(answer, session.service) === undefined
}

/** The error that an answer carries; absent when the body is none in the declared shape. */
export function errorBodyOf(answer: TestResponse): ErrorBody | undefined {
  const error = member(answer.json, 'error')
  const code = member(error, 'code')
  const message = member(error, 'message')
  return typeof code === 'string' && typeof message === 'string' ? { code, message } : undefined
}

/** Whether a status is one that an error may have: its own, or one of those that are legal. */
export function isStatusOf(status: number, error: ErrorDefinition): boolean {
  return status === error.status || error.legal.some(legal => isOfClass(status, legal))
}

/** What is wrong with the body of an error answer; absent when it has the declared shape. */
export function errorShapeProblem(answer: TestResponse, service: Pick<Service, 'errorBody'>): string | undefined {
  if (answer.json === undefined) return answer.text === '' ? 'an empty body' : 'a body that is no JSON'
  const error = member(answer.json, 'error')
  if (typeof error !== 'object' || error === null || Array.isArray(error)) return 'a body without an object `error`'
  for (const name of new Set(['code', 'message', ...service.errorBody.required])) {
    const value = member(error, name)
    if (value === undefined) return `an error without \`${name}\``
    if (name !== 'code' && name !== 'message') continue
    if (typeof value !== 'string') return `an error whose \`${name}\` is no string`
    if (value.trim() === '') return `an error whose \`${name}\` is empty`
  }
  return undefined
}

/**
 * What keeps an answer from being one of the given errors: its status, or the shape of its body. An answer to HEAD has no
 * body and is judged by its status alone.
 *
 * @param errors any of them is right; the first is named
 * @returns absent when the answer is right, and when it says nothing because of trouble on the way
 */
export function errorFinding(
  answer: TestResponse,
  errors: ErrorDefinition | readonly [ErrorDefinition, ...ErrorDefinition[]],
  session: Pick<Session, 'service'>,
): Finding | undefined {
  if (answer.transportError !== undefined) return undefined
  const [first, ...others] = 'status' in errors ? [errors] : errors
  const received = describeResponse(answer)
  const features = [`error.${first.name}`]
  const expected = `${statusText([first, ...others])} with an error object`
  if (![first, ...others].some(error => isStatusOf(answer.status, error))) {
    const message =
      answer.status < 400
        ? `It answered ${answer.status} where the error ${first.name} is due.`
        : `The error ${first.name} came with status ${answer.status}.`
    return {
      message,
      expected,
      received,
      answers: [answer],
      features: isServerError(answer)
        ? serverErrorFeatures(answer.testRequest)
        : [...features, answer.status < 400 ? 'accepted' : 'status'],
    }
  }
  const problem = answer.testRequest.method === 'HEAD' ? undefined : errorShapeProblem(answer, session.service)
  if (problem === undefined) return undefined
  return {
    message: `The error ${first.name} came with ${problem}.`,
    expected,
    received,
    answers: [answer],
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
 * The verdict when an answer tells nothing of the service: no connection, too many requests, a gateway in between, or a
 * credential that is not accepted any more. Absent when the answer can be judged.
 */
export function inconclusiveVerdict(answer: TestResponse): Extract<Verdict, { kind: 'inconclusive' }> | undefined {
  if (answer.transportError !== undefined) return { kind: 'inconclusive', why: `no answer: ${answer.transportError}` }
  const isOwn = (answer.testRequest.credential ?? 'own') === 'own'
  if ((answer.status === 401 || answer.status === 403) && isOwn) {
    return { kind: 'inconclusive', why: `the credential does not permit it: status ${answer.status}` }
  }
  if (answer.mayHideForbidden && isOwn) {
    return {
      kind: 'inconclusive',
      why: 'the credential may not permit it: no item was ever shown there, only status 404',
    }
  }
  return busyStatuses.has(answer.status)
    ? { kind: 'inconclusive', why: `it was busy: status ${answer.status}` }
    : undefined
}

const busyStatuses: ReadonlySet<number> = new Set([408, 425, 429, 502, 503, 504])

/** An answer in a few words, for `received`: its status and the beginning of its body. */
export function describeResponse(answer: TestResponse): string {
  if (answer.transportError !== undefined) return `no answer: ${answer.transportError}`
  const text = answer.text.trim().replaceAll(/\s+/gu, ' ')
  if (text === '') return `status ${answer.status} without a body`
  return `status ${answer.status}: ${text.length > 300 ? `${text.slice(0, 300)}…` : text}`
}

/** Whether a service failed by a fault of its own. What it does not implement, 501, and what gateways say, is not that. */
export function isServerError({ status }: TestResponse): boolean {
  return status >= 500 && status !== 501 && (status < 502 || status > 504)
}

/** Features of a server error: the same for whoever finds it, told apart by what was asked. */
export function serverErrorFeatures(ask: TestRequest): readonly string[] {
  const options = ask.options === undefined ? [] : Object.keys(ask.options).filter(name => name !== 'aliases')
  const raw = [...new URLSearchParams(ask.rawQuery ?? '').keys()].map(name => name.replace(/^\$/, ''))
  const names = [...new Set([...options, ...raw])].sort()
  return ['error.internalError', ...(ask.method === 'GET' ? names : [ask.method, ...names])]
}
