import { Client, GraphError, PageIterator } from '@microsoft/microsoft-graph-client'
import type { MakeApp } from './app.d.ts'

export const app: MakeApp = (baseUrl, token) => {
  const { origin, pathname } = new URL(baseUrl)
  const client = Client.initWithMiddleware({
    baseUrl: `${origin}/`,
    defaultVersion: pathname.slice(1),
    authProvider: { getAccessToken: async () => token },
    // It calls its token provider for https addresses only.
    fetchOptions: { headers: { authorization: `Bearer ${token}` } },
  })
  return {
    async subjects(since) {
      const found: string[] = []
      const page = await client
        .api('/me/messages')
        .filter(`receivedDateTime ge ${since}`)
        .select(['id', 'subject'])
        .top(10)
        .get()
      const pages = new PageIterator(client, page, ({ subject }) => {
        found.push(subject ?? '')
        return true
      })
      await pages.iterate()
      return found
    },
    async name(id) {
      const { displayName } = await client.api(`/users/${encodeURIComponent(id)}`).get()
      return displayName
    },
    async markRead(id) {
      try {
        await client.api(`/me/messages/${encodeURIComponent(id)}`).patch({ isRead: true })
        return true
      } catch (error) {
        if (error instanceof GraphError && error.code === 'ErrorItemNotFound') return false
        throw error
      }
    },
  }
}
