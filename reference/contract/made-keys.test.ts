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
container: { ${types.map(type => `all${type}: { entitySet: of${type} }`).join(', ')} }
paths:
${types.map(type => `  /all${type}: { get: { returns: collection }, post: { creates: of${type} } }`).join('\n')}
errors:
  notFound: { status: 404, code: not-found, message: There is none. }
`

describe('a key that a create may leave out', () => {
  let both: BothEngines

  beforeAll(async () => {
    const { service, diagnostics } = loadSpecText(spec, 'keys.yaml')
    if (service === undefined) throw new Error(diagnostics.map(({ message }) => message).join('\n'))
    both = await openBoth(service, [])
  })
  afterAll(() => both.stop())

  it.each([
    ['String', 201, expect.stringMatching(/^[\da-f-]{36}$/)],
    ['Guid', 201, expect.stringMatching(/^[\da-f-]{36}$/)],
    ['Int32', 201, 1],
    ['Decimal', 201, 1],
  ])('is made by the service: %s', async (type, status, id) => {
    for (const service of Object.values(both.services)) {
      const { status: found, json } = await service.ask(`/all${type}`, { method: 'POST', body: { name: 'a' } })
      expect([found, json]).toMatchObject([status, { id }])
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
