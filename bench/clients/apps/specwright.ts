import { meMessages, users } from 'bench-generated/specwright/client.js'
import { connect, ServiceError } from 'bench-generated/specwright/runtime/client.js'
import type { MakeApp } from './app.d.ts'

export const app: MakeApp = (baseUrl, token) => {
  const connection = connect({ baseUrl, token })
  const messages = meMessages(connection)
  const people = users(connection)
  return {
    async subjects(since) {
      const found: string[] = []
      const recent = messages.list({
        filter: f => f.ge('receivedDateTime', since),
        select: ['id', 'subject'],
        top: 10,
      })
      for await (const { subject } of recent) found.push(subject ?? '')
      return found
    },
    async name(id) {
      const { displayName } = await people.get(id)
      return displayName
    },
    async markRead(id) {
      try {
        await messages.update(id, { isRead: true })
        return true
      } catch (error) {
        if (error instanceof ServiceError && error.code === 'ErrorItemNotFound') return false
        throw error
      }
    },
  }
}
