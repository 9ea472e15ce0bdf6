import type { paths } from 'bench-generated/openapi-typescript/api.js'
import createClient from 'openapi-fetch'
import type { MakeApp } from './app.d.ts'

export const app: MakeApp = (baseUrl, token) => {
  const client = createClient<paths>({ baseUrl, headers: { authorization: `Bearer ${token}` } })
  return {
    async subjects(since) {
      const found: string[] = []
      const { data, error } = await client.GET('/me/messages', {
        params: {
          query: {
            $filter: `receivedDateTime ge ${since}`,
            $select: ['id', 'subject'],
            $top: 10,
          },
        },
        querySerializer: { array: { style: 'form', explode: false } },
      })
      if (error !== undefined) throw new Error(error.error.message)
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
      const { data, error } = await client.GET('/users/{id}', {
        params: { path: { id } },
      })
      if (error !== undefined) throw new Error(error.error.message)
      return data.displayName
    },
    async markRead(id) {
      const { error } = await client.PATCH('/me/messages/{id}', { params: { path: { id } }, body: { isRead: true } })
      if (error === undefined) return true
      if (error.error.code === 'ErrorItemNotFound') return false
      throw new Error(error.error.message)
    },
  }
}
