import { FetchClient, FetchClientError } from '@odata2ts/http-client-fetch'
import { serviceService } from 'bench-generated/odata2ts/serviceService.js'
import type { MakeApp } from './app.d.ts'

export const app: MakeApp = (baseUrl, token) => {
  const http = new FetchClient({ headers: { authorization: `Bearer ${token}` } })
  const service = new serviceService(http, baseUrl)
  return {
    async subjects(since) {
      const found: string[] = []
      const { data } = await service
        .me()
        .messages()
        .query((builder, q) => builder.filter(q.receivedDateTime.ge(since)).select('id', 'subject').top(10))
      for (const { subject } of data.value) found.push(subject ?? '')
      let link = data['@odata.nextLink']
      while (link !== undefined) {
        const { data: page } = await http.get<typeof data>(link)
        for (const { subject } of page.value) found.push(subject ?? '')
        link = page['@odata.nextLink']
      }
      return found
    },
    async name(id) {
      const { data } = await service.users(id).query()
      return data.displayName
    },
    async markRead(id) {
      try {
        await service.me().messages(id).patch({ isRead: true })
        return true
      } catch (error) {
        if (error instanceof FetchClientError && error.status === 404) return false
        throw error
      }
    },
  }
}
