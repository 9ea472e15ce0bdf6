import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { loadSpecText } from '../../spec/language/index.js'
import { type EngineName, type StoreMaker, storeMaker } from '../testing/engines.js'
import { idsOf, linkOf, openService, type TestedService } from '../testing/open-service.js'

const spec = `
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
  const { service, diagnostics } = loadSpecText(spec, 'counters.yaml')
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
        const whole = await service.ask(`${query}&$top=100`)
        expect(whole.status, whole.text).toBe(200)
        const paged: unknown[] = []
        let link: string | undefined = `${query}&$top=1`
        while (link !== undefined && paged.length <= records.length) {
          const page = await service.ask(link)
          paged.push(...idsOf(page))
          link = linkOf(page, 'nextLink')
        }
        expect(paged).toEqual(idsOf(whole))
      })
    }
  }
})
