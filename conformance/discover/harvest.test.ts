import { describe, expect, it } from 'vitest'
import type { QueryOptions } from '../../runtime/query/index.js'
import { createChoiceRecord } from '../choices/choices.js'
import type { Row } from '../json.js'
import type { Listing } from '../session/session.js'
import { specOf } from '../testing/rule-tests.js'
import { shelf } from '../testing/services.js'
import { harvestSite, refreshHarvest } from './harvest.js'
import { type Site, siteOf } from './site.js'

function labels(): Site {
  const endpoint = shelf.endpoints.find(({ name }) => name === 'labels.list')
  const site = endpoint && siteOf(endpoint)
  if (site === undefined) throw new Error('The labels can be listed.')
  return site
}

/** What a service makes of the options of a request for a list, of which $top is 4 at most. */
type Service = (options: QueryOptions) => Listing

const refused: Listing = { rows: [], pages: [], end: 'rejected' }

function listing(length: number, end: Listing['end'] = 'complete'): Listing {
  const rows = Array.from({ length }, (_, index): Row => ({ id: `id-${index}`, text: 'a' }))
  return { rows, pages: [], end }
}

const ofPages = (length: number): Service => {
  return () => listing(length)
}
/** Nothing comes beyond as many items as $top asks for. */
const limited = (length: number): Service => {
  return ({ top = length }) => listing(Math.min(top, length))
}
const refusingTop: Service = ({ top }) => (top === undefined ? listing(9) : refused)
const needingTop: Service = ({ top }) => (top === undefined ? refused : listing(top))
const longerThanRead: Service = () => listing(9, 'truncated')
/** Shows texts only where they are selected. */
const hiding: Service = options => {
  const whole = limited(9)(options)
  return options.select === undefined ? { ...whole, rows: whole.rows.map(({ id }) => ({ id })) } : whole
}
const select = [{ path: ['id'] }, { path: ['text'] }]

describe('a collection', () => {
  it.each<[string, Service, readonly QueryOptions[], { readonly length: number; readonly complete: boolean }]>([
    ['is read in the largest pages allowed', ofPages(9), [{ top: 4 }], { length: 9, complete: true }],
    ['is read once if it has fewer items than a page', limited(3), [{ top: 4 }], { length: 3, complete: true }],
    ['is read without $top if that is rejected', refusingTop, [{ top: 4 }, {}], { length: 9, complete: true }],
    ['is read without $top if that limits the list', limited(9), [{ top: 4 }, {}], { length: 9, complete: true }],
    ['is read without $top if that may limit the list', limited(4), [{ top: 4 }, {}], { length: 4, complete: true }],
    ['may be incomplete if it cannot be read otherwise', needingTop, [{ top: 4 }, {}], { length: 4, complete: false }],
    ['is incomplete if it is longer than the limit', longerThanRead, [{ top: 4 }], { length: 9, complete: false }],
    ['is read with all properties', hiding, [{ top: 4 }, {}, { select }], { length: 9, complete: true }],
  ])('%s', async (_, service, asks, { length, complete }) => {
    const asked: unknown[] = []
    const list = async ({ options = {} }: { readonly options?: QueryOptions }): Promise<Listing> => {
      asked.push(options)
      return service(options)
    }
    const found = await harvestSite(labels(), { list, requestsLeft: () => 1000, service: shelf }, 100)
    expect(asked).toEqual(asks)
    expect(found).toMatchObject({ snapshot: { rows: { length }, complete } })
    if (!('snapshot' in found)) return
    expect(await refreshHarvest(found, { list, service: shelf, choices: createChoiceRecord(shelf) }, 100)).toEqual(
      found,
    )
  })

  it('is read with a tenth of the remaining requests each time, because it may be endless', async () => {
    const limits: unknown[] = []
    const list = async (_: unknown, limit: unknown): Promise<Listing> => {
      limits.push(limit)
      return { rows: [], pages: [], end: 'truncated' }
    }
    const found = await harvestSite(labels(), { list, requestsLeft: () => 1000, service: shelf }, 100)
    expect(found).toMatchObject({ snapshot: { complete: false } })
    if ('snapshot' in found)
      await refreshHarvest(found, { list, service: shelf, choices: createChoiceRecord(shelf) }, 100)
    expect(limits).toEqual([
      { rows: 100, pages: 100 },
      { rows: 100, pages: 100 },
    ])
  })

  it.each([
    ['at once if it is as long as services make their pages', 25, false],
    ['only before an accusation if it has another length', 23, true],
  ])('that may be cut at a maximum is examined %s', async (_, length, mayBeCut) => {
    const asked: unknown[] = []
    const list = async ({ options = {} }: { readonly options?: QueryOptions }): Promise<Listing> => {
      if (options.skip !== undefined) asked.push(options.skip)
      return listing(options.skip === undefined ? length : 0)
    }
    const listCut = async (request: { readonly options?: QueryOptions }): Promise<Listing> => {
      return request.options?.skip === undefined ? list(request) : listing(length + 1)
    }
    const directory = specOf('directory')
    const endpoint = directory.endpoints.find(({ name }) => name === 'users.list')
    const site = endpoint && siteOf(endpoint)
    if (site === undefined) throw new Error('Users can be listed.')
    const found = await harvestSite(site, { list, requestsLeft: () => 1000, service: directory }, 1000)
    expect(asked).toEqual(mayBeCut ? [] : [length])
    expect(found).toMatchObject({ mayBeCut, snapshot: { rows: { length }, complete: true } })
    if (!('snapshot' in found)) return
    const session = { list, service: directory, choices: createChoiceRecord(directory) }
    expect(await refreshHarvest(found, session, 1000)).toMatchObject({ mayBeCut: false })
    const again = await refreshHarvest(found, { ...session, list: listCut }, 1000)
    expect(again === undefined).toBe(mayBeCut)
  })

  it('that cannot be read has no harvest', async () => {
    expect(
      await harvestSite(labels(), { list: async () => refused, requestsLeft: () => 1000, service: shelf }, 100),
    ).toBe(refused)
  })
})
