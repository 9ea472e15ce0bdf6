import { describe, expect, it } from 'vitest'
import { parseQueryOptions } from '../query/index.js'
import { type ComputingGetOperation, type ComputingListOperation, computingGet, computingList } from './compute.js'
import { connect } from './connection.js'
import type { EntityShape, ToMany, ToOne } from './entity-shape.js'
import { resource } from './operations.js'
import { date, number } from './path.js'
import { recordingFetch } from './testing/recording-fetch.js'
import { type AggregatingListOperation, aggregatingList } from './transformations.js'

interface BookShape extends EntityShape {
  readonly properties: {
    readonly isbn: string
    readonly genre: string
    readonly published: string | null
    readonly pages: number
    readonly price: number | null
  }
  readonly key: 'isbn'
  readonly navigation: { readonly prequel: ToOne<BookShape, true>; readonly sequels: ToMany<BookShape> }
}
interface All {
  readonly options: 'select' | 'filter' | 'orderby' | 'expand' | 'top' | 'count' | 'compute'
  readonly filter: 'eq' | 'gt' | 'and' | 'year' | 'add' | 'sub' | 'mul' | 'div' | 'divby' | 'mod'
  readonly orderby: string
  readonly expand: string
  readonly numbers: number
  readonly transformations:
    | 'filter'
    | 'compute'
    | 'aggregate'
    | 'groupBy'
    | 'rollup'
    | 'concat'
    | 'orderby'
    | 'top'
    | 'skip'
    | 'topCount'
    | 'bottomSum'
  readonly groupable: string
  readonly aggregatable: string
  readonly nested: All
}

interface Books {
  readonly list: AggregatingListOperation<[], BookShape, All, never> & ComputingListOperation<[], BookShape, All, never>
  readonly computed: ComputingListOperation<[], BookShape, All, never>
  readonly get: ComputingGetOperation<[isbn: string], BookShape, All, never>
}

const formats = { published: date, price: number }

/** The query that a call of the client sends. */
async function sentBy(call: (books: Books) => PromiseLike<unknown>): Promise<string> {
  const { fetch, sent } = recordingFetch()
  const connection = connect({ baseUrl: 'http://localhost', fetch })
  const books = resource<Books>({
    list: aggregatingList(connection, () => '/books', formats),
    computed: computingList(connection, () => '/books', formats),
    get: computingGet(connection, isbn => `/books/${isbn}`, formats),
  })
  await call(books)
  return decodeURIComponent(sent[0]?.url.replace('http://localhost', '') ?? '')
}

describe('the client', () => {
  it.each<readonly [string, (books: Books) => PromiseLike<unknown>]>([
    [
      '/books?$apply=groupby((genre),aggregate(price with sum as total,$count as books))/filter(total gt 5)',
      books =>
        books
          .list({
            apply: a => a.groupBy(['genre'], { total: a.sum('price'), books: a.count() }).filter(f => f.gt('total', 5)),
          })
          .page(),
    ],
    [
      '/books?$top=1&$count=true&$apply=filter(published gt 2024-01-01)/aggregate(price with max as most,genre with countdistinct as genres)',
      books =>
        books
          .list({
            apply: a =>
              a
                .filter(f => f.gt('published', '2024-01-01'))
                .aggregate({ most: a.max('price'), genres: a.countDistinct('genre') }),
            top: 1,
            count: true,
          })
          .page(),
    ],
    [
      '/books?$orderby=twice desc&$apply=groupby((rollup(null,genre,prequel/genre)),topcount(2,pages)/compute((pages mul 2) as twice))',
      books =>
        books
          .list({
            apply: a =>
              a.groupBy([a.rollup(['genre', 'prequel/genre'], { total: true })], group =>
                group.topCount(2, 'pages').compute({ twice: f => f.mul('pages', 2) }),
              ),
            orderby: ['twice desc'],
          })
          .page(),
    ],
    [
      '/books?$apply=concat(identity,orderby(pages desc)/skip(1)/top(3)/bottomsum(9.5,price))/groupby((genre))',
      books =>
        books
          .list({
            apply: a =>
              a
                .concat(
                  all => all,
                  all => all.orderby('pages desc').skip(1).top(3).bottomSum(9.5, 'price'),
                )
                .groupBy(['genre']),
          })
          .page(),
    ],
    ['/books?$apply=groupby((genre))', books => books.list({ apply: a => a.groupBy(['genre'], {}) }).page()],
    [
      "/books?$select=isbn,half&$compute=((pages add price) divby 2) as half,genre eq 'x' as isX",
      books =>
        books
          .computed({
            compute: { half: f => f.divby(f.add('pages', 'price'), 2), isX: f => f.eq('genre', 'x') },
            select: ['isbn', 'half'],
          })
          .page(),
    ],
    [
      '/books/1?$compute=price as cost&$expand=sequels($filter=year gt 2000;$select=year;$compute=year(published) as year)',
      books =>
        books.get('1', {
          expand: {
            sequels: {
              filter: f => f.raw('year gt 2000'),
              compute: { year: f => f.call('year', 'published') },
              select: ['year'],
            },
          },
          compute: { cost: f => f.property('price') },
        }),
    ],
  ])('sends %s', async (expected, call) => {
    const path = await sentBy(call)
    expect(path).toBe(expected)
    expect(() => parseQueryOptions(path.slice(path.indexOf('?') + 1))).not.toThrow()
  })
})
