import type { TestResponse } from '../../http/message.js'
import { isRow } from '../../json.js'

/** The entity tags of a response: in the header and in the body. */
export interface ShownTags {
  readonly header?: string
  readonly body?: string
}

export function tagsOf({ headers, json }: TestResponse): ShownTags {
  const header = headers['etag']
  const body = isRow(json) ? (json['@odata.etag'] ?? json['@etag']) : undefined
  return { ...(header === undefined ? {} : { header }), ...(typeof body === 'string' ? { body } : {}) }
}

/** The tag to send in If-Match. */
export function tagOf(response: TestResponse): string | undefined {
  const { header, body } = tagsOf(response)
  return header ?? body
}

/** Whether a text is an entity tag. @see RFC 9110, 8.8.3 */
export function isTag(text: string): boolean {
  return /^(?:W\/)?"[^"]*"$/.test(text)
}

/** The opaque tag, for the weak comparison. @see RFC 9110, 8.8.3.2 */
export function opaqueTag(text: string): string {
  return text.replace(/^W\//, '')
}
