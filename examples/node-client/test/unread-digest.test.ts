import type { ReferenceService } from 'specwright/reference'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createDirectory } from '../src/api/client.js'
import { ServiceError } from '../src/api/runtime/client.js'
import { unreadDigest } from '../src/unread-digest.js'
import { directoryService } from './directory-service.js'

describe('the digest of unread mail', () => {
  let service: ReferenceService
  const asked: string[] = []

  beforeAll(async () => {
    service = await directoryService('secret')
  })
  afterAll(() => service.close())

  const directory = (token: string) =>
    createDirectory({
      baseUrl: 'https://directory.example/v1.0',
      token,
      fetch: (url, request) => {
        asked.push(decodeURIComponent(new URL(url).pathname))
        return service.fetch(new Request(url, request))
      },
    })

  it('lists the newest messages first, and reads only the pages it needs', async () => {
    asked.length = 0
    const lines = await unreadDigest(directory('secret'), { since: '2026-11-01T00:00:00Z', most: 11 })
    expect(lines).toHaveLength(12)
    expect(lines[0]).toBe('Ada Lovelace, 15 unread since 2026-11-01')
    expect(lines[1]).toBe('2026-11-25  Alan: (no subject)')
    expect(lines.at(-1)).toBe('2026-11-15  Alan: Report 14')
    expect(asked).toEqual(['/v1.0/me', '/v1.0/me/messages', '/v1.0/me/messages'])
  })

  it('lists only messages received since a time', async () => {
    const lines = await unreadDigest(directory('secret'), { since: '2026-11-24T00:00:00Z', most: 20 })
    expect(lines.slice(1)).toEqual(['2026-11-25  Alan: (no subject)', '2026-11-24  Alan: Report 23'])
  })

  it('passes on an error of the service', async () => {
    const refused = unreadDigest(directory('stolen'), { since: '2026-11-01T00:00:00Z', most: 1 })
    await expect(refused).rejects.toBeInstanceOf(ServiceError)
    await expect(refused).rejects.toMatchObject({ status: 401, code: 'InvalidAuthenticationToken' })
  })

  it('stops when it is aborted', async () => {
    const options = { since: '2026-11-01T00:00:00Z', most: 1, signal: AbortSignal.abort() }
    const slow = createDirectory({ baseUrl: 'https://directory.example/v1.0' })
    await expect(unreadDigest(slow, options)).rejects.toMatchObject({ name: 'AbortError' })
  })
})
