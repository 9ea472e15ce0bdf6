import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { loadSpecText } from '../../spec/language/index.js'
import { type EngineName, type StoreMaker, storeMaker } from '../testing/engines.js'
import { type BothEngines, idsOf, linkOf, openBoth, openService, type TestedService } from '../testing/test-service.js'

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
    const { status, json } = await service.request('/allComputed', { method: 'POST', body })
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
      const { status, json } = await service.request(`/all${type}`, { method: 'POST', body: { name: 'a' } })
      expect([status, json]).toMatchObject([201, { id }])
    }
  })

  it.each(['Date', 'DateTimeOffset', 'TimeOfDay', 'Boolean', 'Duration'])(
    'must be given where no value is as good as another: %s',
    async type => {
      for (const service of Object.values(both.services)) {
        const { status, json } = await service.request(`/all${type}`, { method: 'POST', body: { name: 'a' } })
        expect([status, json]).toMatchObject([400, { error: { target: 'id' } }])
      }
    },
  )
})

const longTextsSpec = `
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
    const { service, diagnostics } = loadSpecText(longTextsSpec, 'parcels.yaml')
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
      const { status: found, json, text: said } = await service.request(path, { method: 'POST', body })
      expect(found, said).toBe(status)
      if (target !== '') expect(json).toMatchObject({ error: { target } })
    }
  })
})

const largeIntegersSpec = `
specwright: 1
service: { name: counters, title: Counters, namespace: counters, version: v1 }
authentication: { scheme: none }
resources:
  counter:
    kind: entityType
    key: [id]
    properties:
      id: { type: String }
      big: { type: Int64, nullable: true }
      least: { type: Int64, nullable: true }
container: { counters: { entitySet: counter } }
queryOptions:
  counters.list: { select: true, filter: true, orderby: true, top: { default: 5, max: 100 }, skip: true }
paths:
  /counters: { get: { returns: collection, query: counters.list } }
open:
  topMeaning: { legal: [pageSize], reference: pageSize }
errors:
  notFound: { status: 404, code: not-found, message: There is none. }
`

function loaded() {
  const { service, diagnostics } = loadSpecText(largeIntegersSpec, 'counters.yaml')
  if (service === undefined) throw new Error(diagnostics.map(({ message }) => message).join('\n'))
  return service
}

/** Beyond 2^53 neighbours are two and more apart: a link that carried another integer would lose an item, or give it twice. */
const values = [2 ** 53, 2 ** 53 + 2, 2 ** 53 + 4, 2 ** 60, 2 ** 62, -(2 ** 53), -(2 ** 53) - 2, -(2 ** 62), 1, 0]
const records = values.flatMap((big, index) =>
  [0, 1].map(twin => ({
    type: 'counter',
    key: `${twin}${index}`,
    properties: { id: `${twin}${index}`, big, least: twin },
  })),
)

const orders = ['big', 'big desc', 'least,big', 'big desc,least']

describe.each<{ engine: EngineName }>([{ engine: 'sqlite' }, { engine: 'postgres' }])('on $engine', ({ engine }) => {
  let maker: StoreMaker
  let service: TestedService

  beforeAll(async () => {
    maker = await storeMaker(engine)
    service = await openService(loaded(), await maker.make(), records)
  })
  afterAll(async () => {
    await service.reference.close()
    await maker.stop()
  })

  for (const select of ['id', 'id,big']) {
    for (const order of orders) {
      it(`pages of ${select} by ${order} hold each item once, in one order`, async () => {
        const query = `/counters?$select=${select}&$orderby=${encodeURIComponent(order)}`
        const whole = await service.request(`${query}&$top=100`)
        expect(whole.status, whole.text).toBe(200)
        const paged: unknown[] = []
        let link: string | undefined = `${query}&$top=1`
        while (link !== undefined && paged.length <= records.length) {
          const page = await service.request(link)
          paged.push(...idsOf(page))
          link = linkOf(page, 'nextLink')
        }
        expect(paged).toEqual(idsOf(whole))
      })
    }
  }
})
