import { meMessages } from './api/client.js'
import { connect, type Paged, retrying, type ServiceError } from './api/runtime/client.js'
import type { Message } from './api/types.js'

/** What the form asks for. */
export interface Wanted {
  readonly service: string
  readonly token: string
  readonly subject: string
  readonly unread: boolean
}

/** What the table shows of a message. */
export type MessageLine = Pick<Message, 'subject' | 'from' | 'receivedDateTime' | 'isRead'>

/** The signed-in person's messages that are wanted, the newest first; nothing is sent before a page is asked for. */
export function findMessages({ service, token, subject, unread }: Wanted): Paged<MessageLine, ServiceError> {
  // One resource alone: the rest of the client is not in the bundle.
  const { list } = meMessages(connect({ baseUrl: service, token, fetch: retrying() }))
  return list({
    select: ['subject', 'from', 'receivedDateTime', 'isRead'],
    filter: f => {
      const bySubject = subject === '' ? undefined : f.contains('subject', subject)
      const byState = unread ? f.eq('isRead', false) : undefined
      return bySubject && byState ? f.and(bySubject, byState) : (bySubject ?? byState)
    },
    orderby: ['receivedDateTime desc'],
    count: true,
  })
}
