import type { EndpointContext } from '../service/behaviour.js'
import { linkQuery, startOf } from '../service/reads.js'
import type { Variant } from './variant.js'

/** Smaller than the lists, and smaller than the specs say. */
const smallMaximum = 10

/** Other permitted pages and links. */
export const pagingVariants: readonly Variant[] = [
  {
    name: 'short-pages',
    choices: ['shortPages'],
    statement: 'Pages with a next link have fewer items than they could.',
    change: behaviour => ({
      page: (rows, at) => {
        const page = behaviour.page(rows, at)
        const start = startOf(at) ?? at.options.skip ?? 0
        const matching = Math.max(1, Math.ceil(page.rows.length * 0.7))
        if (page.rows.length < 3) return page
        return { rows: page.rows.slice(0, matching), next: String(start + matching) }
      },
    }),
  },
  {
    name: 'empty-pages',
    choices: ['shortPages'],
    statement: 'The last page is empty.',
    group: 'short-pages',
    change: behaviour => ({
      page: (rows, at) => {
        const page = behaviour.page(rows, at)
        const start = startOf(at) ?? at.options.skip ?? 0
        const isLast = page.next === undefined && page.rows.length > 0 && at.options.top !== undefined
        const isWhole = behaviour.choices['topMeaning'] !== 'total'
        return isLast && isWhole ? { ...page, next: String(start + page.rows.length) } : page
      },
    }),
  },
  {
    name: 'top-cut-at-a-smaller-maximum',
    choices: ['topMeaning', 'topAboveMaximum'],
    group: 'topMeaning',
    statement: '$top limits the list, and what exceeds the maximum of the service is cut without a next link.',
    change: behaviour => ({
      choices: { ...behaviour.choices, topMeaning: 'total', topAboveMaximum: 'clamp' },
      interpret: (options, at) => {
        const { top, ...others } = behaviour.interpret(options, at)
        return top === undefined ? others : { ...others, top: Math.min(top, smallMaximum) }
      },
    }),
  },
  {
    name: 'opaque-links',
    choices: [],
    statement: 'Next links carry only a token.',
    change: behaviour => {
      const queries: string[] = []
      const known = (text: string): string => {
        const index = /(?:^|&)(?:\$|%24)skiptoken=k(\d+)/i.exec(text)?.[1]
        return index === undefined ? text : (queries[Number(index) - 1] ?? text)
      }
      return {
        nextLinkQuery: (position, at) => {
          const request = { ...at.request, query: known(at.request.query) }
          queries.push(behaviour.nextLinkQuery(position, { ...at, request }))
          return `$skiptoken=k${queries.length}`
        },
        readQuery: (text, at) => behaviour.readQuery(known(text), at),
      }
    },
  },
  {
    name: 'ties-in-any-order',
    choices: ['tieOrder'],
    statement: 'The order of tied rows depends on the query.',
    change: behaviour => ({
      sortRows: (rows, keys, at) => {
        const by = keys.length === 0 ? 0 : hash(JSON.stringify(keys.map(({ item }) => item))) % Math.max(1, rows.length)
        return behaviour.sortRows([...rows.slice(by), ...rows.slice(0, by)], keys, at)
      },
    }),
  },
  {
    name: 'unstable-order',
    choices: ['defaultOrder'],
    statement: 'Without $orderby, each request has a different order, which its next links keep.',
    change: behaviour => ({
      sortRows: (rows, keys, at) => {
        const ordered = behaviour.sortRows(rows, keys, at)
        if (keys.length > 0) return ordered
        const by = turnOf(at) % Math.max(1, rows.length)
        return [...ordered.slice(by), ...ordered.slice(0, by)]
      },
      page: (rows, at) => {
        const { skiptoken, ...others } = at.options
        const [, start] = skiptoken?.split('.') ?? []
        const page = behaviour.page(rows, {
          ...at,
          options: start === undefined ? others : { ...others, skiptoken: start },
        })
        return page.next === undefined ? page : { ...page, next: `${turnOf(at)}.${page.next}` }
      },
    }),
  },
  {
    name: 'links-relative-to-the-list',
    choices: ['nextLinkForm'],
    statement: 'A next link is only a query string.',
    change: behaviour => ({
      reply: (reply, at) => {
        const done = behaviour.reply(reply, at)
        const { json } = done
        if (typeof json !== 'object' || json === null || Array.isArray(json)) return done
        const link = Reflect.get(json, '@odata.nextLink')
        if (typeof link !== 'string') return done
        return { ...done, json: { ...json, '@odata.nextLink': link.slice(link.indexOf('?')) } }
      },
    }),
    group: 'nextLinkForm',
  },
  {
    name: 'small-pages',
    choices: ['shortPages'],
    statement: 'A page has at most seven items.',
    group: 'short-pages',
    change: behaviour => ({
      page: (rows, at) => {
        const page = behaviour.page(rows, at)
        if (page.rows.length <= 7) return page
        return { rows: page.rows.slice(0, 7), next: String((startOf(at) ?? at.options.skip ?? 0) + 7) }
      },
      nextLinkQuery: (position, at) => linkQuery('skiptoken', position, at),
    }),
  },
]

/** The rotation of a list. Its next links carry it. */
function turnOf({ options: { skiptoken }, number }: EndpointContext): number {
  return skiptoken === undefined ? number : Number(skiptoken.split('.')[0])
}

function hash(text: string): number {
  let value = 7
  for (const character of text) value = (value * 31 + (character.codePointAt(0) ?? 0)) % 1_000_003
  return value
}
