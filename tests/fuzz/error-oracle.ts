import type { Service } from '../../spec/language/index.js'
import { listOf, memberOf } from '../crash/thing-client.js'
import type { RawRequest, RawResponse } from './wire.js'

/** Returns the fault of a response, or undefined if there is none. */
export type ErrorOracle = (request: RawRequest, response: RawResponse) => string | undefined

/** Internal details that a response must not reveal: stacks, files, SQL, names of tables and columns, error classes. */
const internalDetails =
  /\.[jt]s:\d|\bat (?:async )?\w+ \(|node_modules|\/dist\/|\bselect "|\binsert into "|\bupdate "|\bdelete from "|sqlite_|SQLITE_|SqliteError|pg_catalog|information_schema|_specwright|"\$id"|\$owner|at or near "|DatabaseError|TypeError|RangeError|SyntaxError|ECONN|undefined|\[object /

/** Errors of the protocol that no spec declares: unreadable HTTP, unknown hosts on loopback, and requests of a batch that were not executed. */
const protocolErrors: Readonly<Record<number, readonly string[]>> = {
  408: ['RequestTimeout'],
  417: ['ExpectationFailed'],
  421: ['UnknownHost'],
  424: ['FailedDependency'],
}

/** Compares responses with the errors that a service declares. */
export function createErrorOracle({ errors, faults }: Service): ErrorOracle {
  const codes = new Map<number, Set<string>>()
  for (const { status, code } of [...errors, ...Object.values(faults)]) {
    codes.set(status, (codes.get(status) ?? new Set()).add(code))
  }
  const wrongError = (status: number, json: unknown): string | undefined => {
    const error = memberOf(json, 'error')
    const code = memberOf(error, 'code')
    const message = memberOf(error, 'message')
    if (typeof code !== 'string' || typeof message !== 'string' || message === '') return 'The error has no shape.'
    if (codes.get(status)?.has(code) === true || protocolErrors[status]?.includes(code) === true) return undefined
    return `The code ${code} is not declared for ${status}.`
  }
  const wrongStatus = (status: number, expected: RawRequest['expected']): string | undefined => {
    if (status >= 500) return `The status is ${status}.`
    if (status < 400 && expected === 'refused') return `It was not refused, but answered with ${status}.`
    return undefined
  }
  return ({ method, expected }, { status, headers, body }) => {
    const wrong = wrongStatus(status, expected)
    if (wrong !== undefined) return wrong
    if (status < 400 || method === 'HEAD') return undefined
    if (internalDetails.test(body)) return `It reveals internal details: ${internalDetails.exec(body)?.[0]}`
    if (headers.get('content-type')?.startsWith('application/json') !== true) return 'The error is no JSON.'
    try {
      return wrongError(status, JSON.parse(body))
    } catch {
      return 'The error is no JSON.'
    }
  }
}

/** Checks each response in the response to a batch; all of them must be errors. */
export function batchErrorOracle(oracle: ErrorOracle): ErrorOracle {
  return (request, response) => {
    if (response.status !== 200 || !response.body.startsWith('{"responses":')) return oracle(request, response)
    const inner: RawRequest = { ...request, method: 'POST', expected: 'refused' }
    for (const item of listOf(JSON.parse(response.body), 'responses')) {
      const headers = new Map([['content-type', 'application/json']])
      const body = JSON.stringify(memberOf(item, 'body')) ?? ''
      const problem = oracle(inner, { status: Number(memberOf(item, 'status')), headers, body })
      if (problem !== undefined) return `In the batch: ${problem}`
    }
    return undefined
  }
}
