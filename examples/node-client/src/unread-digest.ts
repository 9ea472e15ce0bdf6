import type { Directory } from './api/client.js'

/** Which messages a digest contains. */
export interface DigestOptions {
  /** Only messages received since this timestamp, in ISO 8601. */
  readonly since: string
  /** The maximum number of messages. */
  readonly most: number
  readonly signal?: AbortSignal
}

/** The unread mail of the signed-in person as lines of text: the count, then the newest messages. */
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
