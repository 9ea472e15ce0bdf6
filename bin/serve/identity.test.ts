import { describe, expect, it } from 'vitest'
import { loadSound } from '../../spec/language/testing/load-sound.js'
import { identityOf } from './identity.js'

const flags = { port: 0, host: '127.0.0.1' }

const service = loadSound(`specwright: 1
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
  ])('takes the token that it makes for %s, with all scopes', async (id, principal) => {
    const identity = await identityOf(await service, flags, id)
    const { signal } = new AbortController()
    const headers = new Headers({ authorization: `Bearer ${identity?.minted}` })
    const request = { method: 'GET', url: 'http://localhost/v1/notes', headers, signal }
    expect(await identity?.authenticate(request)).toEqual({ id: principal, scopes: ['Notes.Read'] })
  })
})
