import type { Answer } from '../http/answer.js'
import { isRow } from '../is-row.js'
import type { Row } from '../json.js'

/** What a page of a list holds. */
export interface Page {
  readonly rows: readonly Row[]
  /** As it came. */
  readonly nextLink?: string
}

/** The page in an answer; absent when the answer is none. */
export function pageOf({ status, json }: Answer): Page | undefined {
  if (status !== 200 || !isRow(json)) return undefined
  const { value } = json
  if (!Array.isArray(value) || !value.every(isRow)) return undefined
  const link = json['@odata.nextLink'] ?? json['@nextLink']
  return { rows: value, ...(typeof link === 'string' && link !== '' ? { nextLink: link } : {}) }
}
