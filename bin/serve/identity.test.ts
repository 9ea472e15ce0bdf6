import { describe, expect, it } from 'vitest'
import { loadValid } from '../../spec/language/testing/valid-spec.js'
import { resolveIdentity } from './identity.js'

const flags = { port: 0, host: '127.0.0.1' }

const service = loadValid(`specwright: 1
service: { name: notes, version: v1 }
authentication: { scheme: bearer, scopes: { Notes.Read: Read notes } }
resources:
  note: { kind: entityType, key: [id], properties: { id: { type: String, computed: true } } }
container: { notes: { entitySet: note } }
paths:
  /notes: { get: { returns: collection, scopes: [Notes.Read] } }
errors: {}
`)

describe('identityOf', () => {
  it.each([
    ['ann', 'ann'],
    [undefined, 'nobody'],
  ])('accepts the token that it creates for %s, with all scopes', async (id, principal) => {
    const identity = await resolveIdentity(await service, flags, id)
    const { signal } = new AbortController()
    const headers = new Headers({ authorization: `Bearer ${identity?.generatedToken}` })
    const request = { method: 'GET', url: 'http://localhost/v1/notes', headers, signal }
    expect(await identity?.authenticate(request)).toEqual({ id: principal, scopes: ['Notes.Read'] })
  })
})
