import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { loadSpecText } from '../../spec/language/index.js'
import { type BothEngines, openBoth } from '../testing/both-engines.js'

const types = [
  'String',
  'Guid',
  'Int32',
  'Decimal',
  'Date',
  'DateTimeOffset',
  'TimeOfDay',
  'Boolean',
  'Duration',
] as const
const instant = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/)
const computed: readonly (readonly [type: string, value: unknown])[] = [
  ['String', ''],
  ['Int64', 0],
  ['Decimal', 0],
  ['Double', 0],
  ['Boolean', false],
  ['Guid', '00000000-0000-0000-0000-000000000000'],
  ['Date', expect.stringMatching(/^\d{4}-\d\d-\d\d$/)],
  ['DateTimeOffset', instant],
  ['TimeOfDay', expect.stringMatching(/^00:00:00/)],
  ['Duration', 'PT0S'],
  ['Binary', ''],
  ['size', 'small'],
]
const typesOfKeys = types.map(
  type => `  of${type}:
    { kind: entityType, key: [id], properties: { id: { type: ${type}, required: false }, name: { type: String, nullable: true } } }`,
)

const spec = `
specwright: 1
service: { name: keys, title: Keys, namespace: keys, version: v1 }
authentication: { scheme: none }
resources:
${typesOfKeys.join('\n')}
  computed:
    kind: entityType
    key: [id]
    properties:
      id: { type: String, computed: true }
      name: { type: String, nullable: true }
      part: { type: part }
${computed.map(([type]) => `      of${type}: { type: ${type}, computed: true }`).join('\n')}
  part:
    kind: complexType
    properties: { rank: { type: Int16, computed: true }, note: { type: String, nullable: true } }
  size: { kind: enumType, members: { small: 2, large: 3 } }
container: { allComputed: { entitySet: computed },  ${types.map(type => `all${type}: { entitySet: of${type} }`).join(', ')} }
paths:
  /allComputed: { get: { returns: collection }, post: { creates: computed } }
${types.map(type => `  /all${type}: { get: { returns: collection }, post: { creates: of${type} } }`).join('\n')}
errors:
  notFound: { status: 404, code: not-found, message: There is none. }
`

let both: BothEngines

beforeAll(async () => {
  const { service, diagnostics } = loadSpecText(spec, 'keys.yaml')
  if (service === undefined) throw new Error(diagnostics.map(({ message }) => message).join('\n'))
  both = await openBoth(service, [])
})
afterAll(() => both.stop())

it('what the service computes and may not be null has a value', async () => {
  const values = Object.fromEntries(computed.map(([type, value]) => [`of${type}`, value]))
  for (const service of Object.values(both.services)) {
    const body = { name: 'a', part: { note: 'b' } }
    const { status, json } = await service.ask('/allComputed', { method: 'POST', body })
    expect([status, json]).toMatchObject([201, { ...values, part: { rank: 0, note: 'b' } }])
  }
})

describe('a key that a create may leave out', () => {
  it.each([
    ['String', expect.stringMatching(/^[\da-f-]{36}$/)],
    ['Guid', expect.stringMatching(/^[\da-f-]{36}$/)],
    ['Int32', 1],
    ['Decimal', 1],
  ])('is made by the service: %s', async (type, id) => {
    for (const service of Object.values(both.services)) {
      const { status, json } = await service.ask(`/all${type}`, { method: 'POST', body: { name: 'a' } })
      expect([status, json]).toMatchObject([201, { id }])
    }
  })

  it.each(['Date', 'DateTimeOffset', 'TimeOfDay', 'Boolean', 'Duration'])(
    'must be given where no value is as good as another: %s',
    async type => {
      for (const service of Object.values(both.services)) {
        const { status, json } = await service.ask(`/all${type}`, { method: 'POST', body: { name: 'a' } })
        expect([status, json]).toMatchObject([400, { error: { target: 'id' } }])
      }
    },
  )
})
