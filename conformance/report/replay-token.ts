import {
  type Expression,
  parseFilter,
  parseQueryOptions,
  printFilter,
  printQueryOptions,
  type QueryOptions,
} from '../../runtime/query/index.js'
import { isRow } from '../is-row.js'
import type { Json } from '../json.js'
import type { Case, Step } from '../rule/case.js'

/** What is tried again: a rule on a site, with one case. A watching rule has no case. */
export interface Replay {
  readonly rule: string
  readonly site: string
  readonly test: Case
}

/** One word that says a case exactly; expressions in it are text of the query language. */
export function replayToken({ rule, site, test }: Replay): string {
  const { options, predicates, ...plain } = test
  const parts = {
    rule,
    site,
    ...plain,
    ...(options === undefined ? {} : { options: printQueryOptions(options) }),
    ...(predicates === undefined ? {} : { predicates: predicates.map(predicate => printFilter(predicate)) }),
  }
  return Buffer.from(JSON.stringify(parts), 'utf8').toString('base64url')
}

/** Reads a replay token. Absent when it is none. */
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
  const test: Case = {
    ...(options === undefined ? {} : { options }),
    ...(predicates === undefined ? {} : { predicates }),
    ...(typeof key === 'string' ? { key } : {}),
    ...(typeof name === 'string' ? { name } : {}),
    ...(typeof variant === 'string' ? { variant } : {}),
    ...(typeof text === 'string' ? { text } : {}),
    ...(Array.isArray(numbers) ? { numbers: numbers.filter(each => typeof each === 'number') } : {}),
    ...(steps === undefined ? {} : { steps }),
  }
  return { rule, site, test }
}

function optionsOf(text: string): QueryOptions {
  return parseQueryOptions(text).options
}

function predicatesOf(texts: readonly unknown[]): readonly Expression[] {
  return texts.filter(text => typeof text === 'string').map(text => parseFilter(text))
}

function stepOf(value: unknown): readonly Step[] {
  if (!isRow(value) || typeof value['do'] !== 'string') return []
  const { item, name, body } = value
  return [
    {
      do: value['do'],
      ...(typeof item === 'number' ? { item } : {}),
      ...(typeof name === 'string' ? { name } : {}),
      ...(isJson(body) ? { body } : {}),
    },
  ]
}

function isJson(value: unknown): value is Json {
  return value !== undefined
}
