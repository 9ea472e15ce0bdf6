import { client } from 'bench-generated/hey-api/client.gen.js'
import { meMessagesList, meMessagesUpdate, usersGet } from 'bench-generated/hey-api/sdk.gen.js'
import type { MakeApp } from './app.d.ts'

export const app: MakeApp = (baseUrl, token) => {
  client.setConfig({ baseUrl, auth: token })
  return {
    async subjects(since) {
      const found: string[] = []
      const { data } = await meMessagesList({
        query: { $filter: `receivedDateTime ge ${since}`, $select: ['id', 'subject'], $top: 10 },
        throwOnError: true,
      })
      for (const { subject } of data.value) found.push(subject ?? '')
      // It has no support for links.
      let link = data['@odata.nextLink']
      while (link !== undefined) {
        const response = await fetch(link, { headers: { authorization: `Bearer ${token}` } })
        const page: typeof data = await response.json()
        for (const { subject } of page.value) found.push(subject ?? '')
        link = page['@odata.nextLink']
      }
      return found
    },
    async name(id) {
      const { data } = await usersGet({ path: { id }, throwOnError: true })
      return data.displayName
    },
    async markRead(id) {
      const { error } = await meMessagesUpdate({ path: { id }, body: { isRead: true } })
      if (error === undefined) return true
      if (error.error.code === 'ErrorItemNotFound') return false
      throw new Error(error.error.message)
    },
  }
}
