import {
  type Expression,
  parseFilter,
  parseQueryOptions,
  printFilter,
  printQueryOptions,
  type QueryOptions,
} from '../../runtime/query/index.js'
import { isCredential } from '../http/credentials.js'
import type { TestRequest } from '../http/message.js'
import { isRow, type Json } from '../json.js'
import type { TestCase, TestStep } from '../rule/rule.js'
import type { Redact } from './redact.js'

/** What to replay: a rule on a site, with one case. */
export interface Replay {
  readonly rule: string
  readonly site: string
  readonly test: TestCase
  /** For a passive rule: the read to inspect. */
  readonly request?: TestRequest
  /** For a passive rule: the rule whose case produces the response. */
  readonly activeRule?: string
}

/**
 * Encodes a replay as one word, with expressions in query syntax. Absent if it would contain a secret, which the
 * service may have echoed in its data.
 */
export function replayToken({ rule, site, test, request, activeRule }: Replay, redact: Redact): string | undefined {
  const { options, predicates, ...plain } = test
  const parts = {
    rule,
    site,
    ...plain,
    ...(options === undefined ? {} : { options: printQueryOptions(options) }),
    ...(predicates === undefined ? {} : { predicates: predicates.map(predicate => printFilter(predicate)) }),
    ...(request === undefined ? {} : { ask: plainAsk(request) }),
    ...(activeRule === undefined ? {} : { by: activeRule }),
  }
  const text = JSON.stringify(parts)
  return redact(text) === text ? Buffer.from(text, 'utf8').toString('base64url') : undefined
}

/** Decodes a replay token; absent if the token is invalid. */
export function readReplayToken(token: string): Replay | undefined {
  try {
    const parts: unknown = JSON.parse(Buffer.from(token, 'base64url').toString('utf8'))
    return isRow(parts) ? replayOf(parts) : undefined
  } catch {
    return undefined
  }
}

function replayOf(parts: Readonly<Record<string, unknown>>): Replay | undefined {
  const { rule, site, key, name, variant, text, numbers } = parts
  if (typeof rule !== 'string' || typeof site !== 'string') return undefined
  const options = typeof parts['options'] === 'string' ? optionsOf(parts['options']) : undefined
  const predicates = Array.isArray(parts['predicates']) ? predicatesOf(parts['predicates']) : undefined
  const steps = Array.isArray(parts['steps']) ? parts['steps'].flatMap(stepOf) : undefined
  const test: TestCase = {
    ...(options === undefined ? {} : { options }),
    ...(predicates === undefined ? {} : { predicates }),
    ...(typeof key === 'string' ? { key } : {}),
    ...(typeof name === 'string' ? { name } : {}),
    ...(typeof variant === 'string' ? { variant } : {}),
    ...(typeof text === 'string' ? { text } : {}),
    ...(Array.isArray(numbers) ? { numbers: numbers.filter(each => typeof each === 'number') } : {}),
    ...(steps === undefined ? {} : { steps }),
  }
  const ask = askOf(parts['ask'])
  const by = parts['by']
  return {
    rule,
    site,
    test,
    ...(ask === undefined ? {} : { request: ask }),
    ...(typeof by === 'string' ? { activeRule: by } : {}),
  }
}

function plainAsk({ options, rawQuery, ...ask }: TestRequest): TestRequest {
  const query = [options === undefined ? '' : printQueryOptions(options), rawQuery ?? ''].filter(part => part !== '')
  return { ...ask, ...(query.length === 0 ? {} : { rawQuery: query.join('&') }) }
}

/** Only reads below the root: a token must not make the suite send anything else. */
function askOf(value: unknown): TestRequest | undefined {
  if (!isRow(value)) return undefined
  const { method, path, rawQuery, headers, credential } = value
  if ((method !== 'GET' && method !== 'HEAD') || typeof path !== 'string' || !/^\/(?!\/)/.test(path)) return undefined
  return {
    method,
    path,
    ...(typeof rawQuery === 'string' ? { rawQuery } : {}),
    ...(isRow(headers) ? { headers: textsOf(headers) } : {}),
    ...(isCredential(credential) && credential !== 'own' ? { credential } : {}),
  }
}

function textsOf(values: Readonly<Record<string, unknown>>): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(values).filter((pair): pair is [string, string] => typeof pair[1] === 'string'),
  )
}

function optionsOf(text: string): QueryOptions {
  return parseQueryOptions(text).options
}

function predicatesOf(texts: readonly unknown[]): readonly Expression[] {
  return texts.filter(text => typeof text === 'string').map(text => parseFilter(text))
}

function stepOf(value: unknown): readonly TestStep[] {
  if (!isRow(value) || typeof value['action'] !== 'string') return []
  const { item, select, body } = value
  return [
    {
      action: value['action'],
      ...(typeof item === 'number' ? { item } : {}),
      ...(Array.isArray(select) ? { select: select.filter(each => typeof each === 'string') } : {}),
      ...(isJson(body) ? { body } : {}),
    },
  ]
}

function isJson(value: unknown): value is Json {
  return value !== undefined
}
