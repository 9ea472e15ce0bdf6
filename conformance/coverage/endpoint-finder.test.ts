import { describe, expect, it } from 'vitest'
import { loadSpec } from '../../spec/language/index.js'
import { createEndpointFinder } from './endpoint-finder.js'

describe('the endpoint of a request', async () => {
  const { service } = await loadSpec('spec/directory.yaml')
  if (service === undefined) throw new Error('spec/directory.yaml has errors')
  const find = createEndpointFinder(service)

  it.each([
    ['GET', '/users', 'users.list'],
    ['HEAD', '/users', 'users.list'],
    ['GET', '/users/$count', 'users.count'],
    ['GET', '/users/mira', 'users.get'],
    ['GET', '/me/manager', 'me.manager.get'],
    ['DELETE', '/me/messages/7', 'me.messages.delete'],
    ['DELETE', '/me', undefined],
    ['GET', '/nothing', undefined],
    ['GET', '', undefined],
  ])('%s %s is %s', (method, path, name) => {
    expect(find(method, path)?.name).toBe(name)
  })

  it('is each endpoint of the spec for its own template', () => {
    for (const endpoint of service.endpoints) {
      const path = endpoint.path.template.replaceAll(/\{[^}]*\}/g, 'x')
      expect(find(endpoint.method, path)?.name).toBe(endpoint.name)
    }
  })
})
