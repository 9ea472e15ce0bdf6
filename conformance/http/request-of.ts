import { printQueryOptions } from '../../runtime/query/index.js'
import type { Ask } from './ask.js'
import type { Target } from './target.js'

/** A request as it goes out, without its credential. */
export interface SentRequest {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
}

/** @throws {PrintError} when no text stands for one of the options */
export function requestOf(ask: Ask, target: Target): SentRequest {
  const printed = ask.options === undefined ? '' : printQueryOptions(ask.options)
  const query = [printed, ask.rawQuery ?? ''].filter(text => text !== '').join('&')
  const address = ask.path.startsWith('/') || ask.path === '' ? target.root + ask.path : ask.path
  const body = ask.rawBody ?? (ask.body === undefined ? undefined : JSON.stringify(ask.body))
  return {
    method: ask.method,
    url: query === '' ? address : `${address}${address.includes('?') ? '&' : '?'}${query}`,
    headers: {
      accept: 'application/json',
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...lowerCased(ask.headers ?? {}),
    },
    ...(body === undefined ? {} : { body }),
  }
}

function lowerCased(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
}
