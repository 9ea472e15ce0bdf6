import { createRequire } from 'node:module'
import { join } from 'node:path'
import { createReferenceService, type ReferenceService } from 'specwright/reference'

const spec = join(createRequire(import.meta.url).resolve('specwright/package.json'), '../spec/directory.yaml')

/** The service that the program calls, in this process and in memory. Ada is signed in and has some mail. */
export async function directoryService(token: string): Promise<ReferenceService> {
  const service = await createReferenceService({
    spec,
    store: 'sqlite::memory:',
    authenticate: ({ headers }) =>
      headers.get('authorization') === `Bearer ${token}`
        ? { id: 'ada', scopes: ['User.Read', 'Mail.Read'] }
        : undefined,
  })
  const mail = Array.from({ length: 25 }, (_, index) => ({
    type: 'message',
    properties: {
      id: `m${index}`,
      subject: index === 24 ? null : `Report ${index}`,
      from: { emailAddress: { name: 'Alan', address: 'alan@example.org' } },
      receivedDateTime: `2026-11-${String(index + 1).padStart(2, '0')}T08:00:00Z`,
      isRead: index < 10,
    },
  }))
  await service.load([
    { type: 'user', properties: { id: 'ada', displayName: 'Ada Lovelace' }, contained: { messages: mail } },
  ])
  return service
}
