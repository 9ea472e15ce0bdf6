import type { Answer } from '../http/answer.js'
import { isRow } from '../is-row.js'

/** What a page says as `@odata.count`, or as `@count` in OData 4.01's short form; absent when it says nothing. */
export function countOf(answer: Answer | undefined): unknown {
  const body = answer?.json
  if (!isRow(body)) return undefined
  return Object.hasOwn(body, '@odata.count') ? body['@odata.count'] : body['@count']
}
