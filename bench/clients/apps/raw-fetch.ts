import type { MakeApp } from './app.d.ts'

interface Page {
  readonly value: readonly { readonly subject: string | null }[]
  readonly '@odata.nextLink'?: string
}

export const app: MakeApp = (baseUrl, token) => {
  const authorization = `Bearer ${token}`
  const read = async (url: string) => {
    const response = await fetch(url, { headers: { accept: 'application/json', authorization } })
    if (!response.ok) throw new Error(`${response.status}`)
    return response.json()
  }
  return {
    async subjects(since) {
      const found: string[] = []
      const query = new URLSearchParams({
        $filter: `receivedDateTime ge ${since}`,
        $select: 'id,subject',
        $top: '10',
      })
      let url: string | undefined = `${baseUrl}/me/messages?${query}`
      while (url !== undefined) {
        const page: Page = await read(url)
        for (const { subject } of page.value) found.push(subject ?? '')
        url = page['@odata.nextLink']
      }
      return found
    },
    async name(id) {
      const { displayName } = await read(`${baseUrl}/users/${encodeURIComponent(id)}`)
      return displayName
    },
    async markRead(id) {
      const response = await fetch(`${baseUrl}/me/messages/${encodeURIComponent(id)}`, {
        method: 'PATCH',
        headers: { accept: 'application/json', 'content-type': 'application/json', authorization },
        body: JSON.stringify({ isRead: true }),
      })
      if (response.ok) return true
      const { error } = await response.json()
      if (error.code === 'ErrorItemNotFound') return false
      throw new Error(error.message)
    },
  }
}
