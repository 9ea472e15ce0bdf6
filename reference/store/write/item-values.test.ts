import { expect, it } from 'vitest'
import { loadValid } from '../../../spec/language/testing/valid-spec.js'
import { openService } from '../../testing/test-service.js'

it.each(['1969-12-31T23:59:59.999Z', '1900-01-01T00:00:00Z', '2024-06-01T12:00:00Z'])(
  'items get keys and times while the clock says %s',
  async time => {
    const spec = await loadValid(`specwright: 1
service: { name: notes, version: v1 }
authentication: { scheme: none }
resources:
  note:
    kind: entityType
    key: [id]
    properties: { id: { type: Guid, computed: true }, made: { type: DateTimeOffset, computed: true, stamp: created } }
container: { notes: { entitySet: note } }
paths: { /notes: { get: { returns: collection }, post: { creates: note } } }
errors: {}
`)
    const service = await openService(spec, 'sqlite::memory:', [], undefined, () => new Date(time))
    const made = [1, 2].map(() => service.request('/notes', { method: 'POST', body: {} }))
    for (const { status, json } of await Promise.all(made)) {
      expect(status).toBe(201)
      expect(json).toMatchObject({
        id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7/),
        made: time.replace(/(?:\.000)?Z$/, 'Z'),
      })
    }
    await service.reference.close()
  },
)
