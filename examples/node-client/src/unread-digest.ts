import type { Directory } from './api/client.js'

/** Which mail a digest tells of. */
export interface DigestOptions {
  /** A timestamp, ISO 8601: only what has come since. */
  readonly since: string
  /** Most messages to tell. */
  readonly most: number
  readonly signal?: AbortSignal
}

/** The signed-in person's unread mail as lines of text: how much there is, and the newest. */
export async function unreadDigest(directory: Directory, options: DigestOptions): Promise<readonly string[]> {
  const { since, most, signal } = options
  const { displayName } = await directory.me.get({ select: ['displayName'], signal })
  const unread = directory.me.messages.list({
    select: ['subject', 'from', 'receivedDateTime'],
    filter: f => f.and(f.eq('isRead', false), f.ge('receivedDateTime', since)),
    orderby: ['receivedDateTime desc'],
    count: true,
    signal,
  })
  const lines: string[] = []
  let count = 0
  for await (const page of unread.byPage()) {
    count = page.count ?? count
    for (const { subject, from, receivedDateTime } of page.value) {
      const sender = from?.emailAddress?.name ?? 'somebody'
      lines.push(`${receivedDateTime.slice(0, 10)}  ${sender}: ${subject ?? '(no subject)'}`)
    }
    if (lines.length >= most) break
  }
  return [`${displayName}, ${count} unread since ${since.slice(0, 10)}`, ...lines.slice(0, most)]
}
