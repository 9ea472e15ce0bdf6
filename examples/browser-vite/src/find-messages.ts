import { meMessages } from './api/client.js'
import { connect, type Paged, retrying, type ServiceError } from './api/runtime/client.js'
import type { Message } from './api/types.js'

/** The values of the form. */
export interface MessageSearch {
  readonly service: string
  readonly token: string
  readonly subject: string
  readonly unread: boolean
}

/** The columns of the table. */
export type MessageLine = Pick<Message, 'subject' | 'from' | 'receivedDateTime' | 'isRead'>

/** Finds messages of the signed-in person, newest first. It sends nothing until you ask for a page. */
export function findMessages({ service, token, subject, unread }: MessageSearch): Paged<MessageLine, ServiceError> {
  // Only one resource, so that the bundle does not contain the rest of the client.
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
