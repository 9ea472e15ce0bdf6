import { isRow } from '../../is-row.js'
import type { Json } from '../../json.js'
import type { Arguments } from './arguments.js'

/** Reads the arguments that a case carries as text; absent when it is none. */
export function argumentsOf(text: string | undefined): Arguments | undefined {
  if (text === undefined) return undefined
  const parsed: unknown = JSON.parse(text)
  return isRow(parsed) && Object.values(parsed).every(isJson) ? Object.fromEntries(entries(parsed)) : undefined
}

function entries(row: Readonly<Record<string, unknown>>): readonly (readonly [string, Json])[] {
  return Object.entries(row).flatMap(([name, value]) => (isJson(value) ? [[name, value] as const] : []))
}

function isJson(value: unknown): value is Json {
  if (value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
    return true
  return Array.isArray(value) ? value.every(isJson) : isRow(value) && Object.values(value).every(isJson)
}
