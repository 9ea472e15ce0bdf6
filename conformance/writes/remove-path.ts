import type { Answer } from '../http/answer.js'
import type { Ask } from '../http/ask.js'

/**
 * Deletes an item; where a service deletes only what the caller has seen, with the tag of the moment.
 *
 * @returns why it is still there; absent when it is gone
 */
export async function removePath(path: string, send: (ask: Ask) => Promise<Answer>): Promise<string | undefined> {
  const answer = await send({ method: 'DELETE', path })
  if (answer.status !== 428) return reasonOf(answer)
  const { headers } = await send({ method: 'GET', path })
  return reasonOf(await send({ method: 'DELETE', path, headers: { 'if-match': headers['etag'] ?? '*' } }))
}

function reasonOf({ status, trouble }: Answer): string | undefined {
  const isGone = (status >= 200 && status <= 299) || status === 404 || status === 410
  return isGone ? undefined : (trouble ?? `DELETE answered ${status}`)
}
