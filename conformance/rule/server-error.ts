import type { Answer } from '../http/answer.js'
import type { Ask } from '../http/ask.js'

/** Whether a service failed by a fault of its own. What it does not implement, 501, and what gateways say, is not that. */
export function isServerError({ status }: Answer): boolean {
  return status >= 500 && status !== 501 && (status < 502 || status > 504)
}

/** Features of a server error: the same for whoever finds it, told apart by what was asked. */
export function serverErrorFeatures(ask: Ask): readonly string[] {
  const options = ask.options === undefined ? [] : Object.keys(ask.options).filter(name => name !== 'aliases')
  const raw = [...new URLSearchParams(ask.rawQuery ?? '').keys()].map(name => name.replace(/^\$/, ''))
  const names = [...new Set([...options, ...raw])].sort()
  return ['error.internalError', ...(ask.method === 'GET' ? names : [ask.method, ...names])]
}
