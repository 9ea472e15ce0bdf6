import type { TestRequest, TestResponse } from '../http/message.js'
import { isRow, type Json } from '../json.js'

/** An item that the run did not create, and its values before the run changed it. */
export interface ChangedItem {
  readonly number: number
  readonly path: string
  readonly before: Readonly<Record<string, Json>>
}

/**
 * Gives an item its old values back: those that a read shows changed, and those that the read does not show.
 *
 * @returns the properties that have other values still
 */
export async function restoreItem(
  { path, before }: Pick<ChangedItem, 'path' | 'before'>,
  send: (request: TestRequest) => Promise<TestResponse>,
): Promise<readonly string[]> {
  const current = await send({ method: 'GET', path })
  const body = Object.entries(before).filter(([name, value]) => isChanged(name, value, current) !== false)
  if (body.length === 0) return []
  const patch = (entries: typeof body, headers: Readonly<Record<string, string>> = {}): Promise<TestResponse> =>
    send({ method: 'PATCH', path, headers, body: Object.fromEntries(entries) })
  let response = await patch(body)
  if (response.status === 428) response = await patch(body, { 'if-match': current.headers['etag'] ?? '*' })
  // One value that the service shows but does not take must not keep the others from their old values.
  if (response.status >= 400) for (const entry of body) await patch([entry])
  const after = await send({ method: 'GET', path })
  return Object.entries(before).flatMap(([name, value]) => (isChanged(name, value, after) === true ? [name] : []))
}

/** Undefined if the response does not show the property. */
function isChanged(name: string, before: Json, { json }: TestResponse): boolean | undefined {
  if (!isRow(json) || !Object.hasOwn(json, name)) return undefined
  return JSON.stringify(json[name]) !== JSON.stringify(before)
}
