import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { loadSpecText } from '../../spec/language/index.js'
import { type BothEngines, openBoth } from '../testing/both-engines.js'

const spec = `
specwright: 1
service: { name: parcels, title: Parcels, namespace: parcels, version: v1 }
authentication: { scheme: none }
resources:
  person:
    kind: entityType
    key: [id]
    properties:
      id: { type: String }
      name: { type: String, maxLength: 320, index: true, nullable: true }
      nick: { type: String, maxLength: 320, unique: true, nullable: true }
      note: { type: String, nullable: true }
  parcel:
    kind: entityType
    key: [from, to, label]
    properties:
      from: { type: String }
      to: { type: String }
      label: { type: String }
      code: { type: String, index: true, nullable: true }
container: { people: { entitySet: person }, parcels: { entitySet: parcel } }
paths:
  /people: { get: { returns: collection }, post: { creates: person } }
  /parcels: { get: { returns: collection }, post: { creates: parcel } }
errors:
  notFound: { status: 404, code: not-found, message: There is none. }
`

/** Text that no engine can make shorter. */
const text = (length: number): string => randomBytes(length).toString('hex').slice(0, length)

describe('texts in indexes', () => {
  let both: BothEngines

  beforeAll(async () => {
    const { service, diagnostics } = loadSpecText(spec, 'parcels.yaml')
    if (service === undefined) throw new Error(diagnostics.map(({ message }) => message).join('\n'))
    both = await openBoth(service, [])
  })
  afterAll(() => both.stop())

  it.each([
    ['a key and a name of 320 wide characters', '/people', { id: '🎉'.repeat(320), name: '🚲'.repeat(320) }, 201, ''],
    ['a unique one of 320 wide characters', '/people', { id: text(1280), nick: '🎉'.repeat(320) }, 201, ''],
    ['a longer key', '/people', { id: text(1281) }, 400, 'id'],
    ['what is in no index', '/people', { id: 'b', note: text(50_000) }, 201, ''],
    [
      'three texts in one key',
      '/parcels',
      { from: text(640), to: text(640), label: text(640), code: text(640) },
      201,
      '',
    ],
    ['one of three that is too long', '/parcels', { from: 'a', to: text(641), label: 'b' }, 400, 'to'],
    ['a property beside three', '/parcels', { from: 'a', to: 'b', label: 'c', code: text(641) }, 400, 'code'],
  ])('have lengths that fit, alike on both engines: %s', async (_what, path, body, status, target) => {
    for (const service of Object.values(both.services)) {
      const { status: found, json, text: said } = await service.ask(path, { method: 'POST', body })
      expect(found, said).toBe(status)
      if (target !== '') expect(json).toMatchObject({ error: { target } })
    }
  })
})
