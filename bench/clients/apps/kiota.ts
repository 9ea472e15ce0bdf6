import {
  type AdditionalDataHolder,
  AnonymousAuthenticationProvider,
  HttpMethod,
  type Parsable,
  type ParseNode,
  RequestInformation,
} from '@microsoft/kiota-abstractions'
import { DefaultRequestAdapter } from '@microsoft/kiota-bundle'
import type { MakeApp } from './app.d.ts'

interface Body extends Parsable {
  subject?: string | undefined
  displayName?: string | undefined
  value?: Body[] | undefined
  nextLink?: string | undefined
  error?: { code?: string | undefined } | undefined
}

/** What its generator, a .NET program, would write for each type: here one for all types, only for what is read. */
const read = (body: Partial<Body> = {}): Record<string, (node: ParseNode) => void> => ({
  subject: node => {
    body.subject = node.getStringValue()
  },
  displayName: node => {
    body.displayName = node.getStringValue()
  },
  value: node => {
    body.value = node.getCollectionOfObjectValues<Body>(() => read)
  },
  '@odata.nextLink': node => {
    body.nextLink = node.getStringValue()
  },
})
const template = '{+baseurl}/me/messages{?%24filter,%24select,%24top}'
const factory = () => read

export const app: MakeApp = (baseUrl, token) => {
  const adapter = new DefaultRequestAdapter(new AnonymousAuthenticationProvider())
  adapter.baseUrl = baseUrl
  const request = (method: HttpMethod, urlTemplate: string, parameters: Record<string, unknown>) => {
    const made = new RequestInformation(method, urlTemplate, { baseurl: baseUrl, ...parameters })
    made.headers.add('accept', 'application/json')
    made.headers.add('authorization', `Bearer ${token}`)
    return made
  }
  const failure = () => (error?: Parsable & AdditionalDataHolder) => ({
    error: (node: ParseNode) => {
      if (error !== undefined) Object.assign(error, { code: node.getChildNode('code')?.getStringValue() })
    },
  })
  return {
    async subjects(since) {
      const found: string[] = []
      let next: RequestInformation | undefined = request(HttpMethod.GET, template, {
        '%24filter': `receivedDateTime ge ${since}`,
        '%24select': 'id,subject',
        '%24top': 10,
      })
      while (next !== undefined) {
        const page: Body | undefined = await adapter.send<Body>(next, factory, undefined)
        for (const { subject } of page?.value ?? []) found.push(subject ?? '')
        next = page?.nextLink === undefined ? undefined : request(HttpMethod.GET, '{+link}', { link: page.nextLink })
      }
      return found
    },
    async name(id) {
      const asked = request(HttpMethod.GET, '{+baseurl}/users/{id}', { id })
      const body = await adapter.send<Body>(asked, factory, undefined)
      return body?.displayName
    },
    async markRead(id) {
      const asked = request(HttpMethod.PATCH, '{+baseurl}/me/messages/{id}', { id })
      asked.setStreamContent(new TextEncoder().encode('{"isRead":true}').buffer, 'application/json')
      try {
        await adapter.send<Body>(asked, factory, { XXX: failure })
        return true
      } catch (error) {
        if (error instanceof Object && 'code' in error && error.code === 'ErrorItemNotFound') return false
        throw error
      }
    },
  }
}
