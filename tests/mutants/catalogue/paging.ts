import type { Behaviour, EndpointContext } from '../service/behaviour.js'
import { isObject } from '../service/json.js'
import { linkQuery, pageSize, startOf } from '../service/reads.js'
import { ServiceCrash } from '../service/service.js'
import { changeLink, changeList, type Mutant, mutantsIn } from './mutant.js'

const mutant = mutantsIn('paging')
const libraryMutant = mutantsIn('paging', 'library')

/** A next link without an option. */
function loses(option: string): Mutant {
  return mutant(`link-loses-${option}`, `The next link loses $${option}.`, () => ({
    nextLinkQuery: (position, at) =>
      linkQuery('skiptoken', position, at)
        .split('&')
        .filter(part => !new RegExp(`^(\\$|%24)${option}=`, 'i').test(part))
        .join('&'),
  }))
}

/** Control information in the short form of OData 4.01, in responses of 4.0. */
function withoutPrefix(name: 'nextLink' | 'count'): Pick<Behaviour, 'reply'> {
  return {
    reply: reply => {
      const { [`@odata.${name}`]: value, ...body } = isObject(reply.json) ? reply.json : {}
      if (value === undefined) return reply
      return { ...reply, headers: { ...reply.headers, 'odata-version': '4.0' }, json: { ...body, [`@${name}`]: value } }
    },
  }
}

/** Faults of pages and next links. */
export const pagingMutants: readonly Mutant[] = [
  mutant('link-names-another-host', 'The next link has the host of another machine.', () =>
    changeLink(link => {
      const url = new URL(link, 'http://localhost')
      url.host = 'backend.internal:8080'
      return url.href
    }),
  ),
  mutant('link-of-messages-names-another-host', 'Only the next link of messages has another host.', () => ({
    reply: (reply, at) => {
      if (at.endpoint?.kind !== 'collection' || !isObject(reply.json)) return reply
      const { '@odata.context': _, '@odata.nextLink': link, ...body } = reply.json
      if (typeof link !== 'string') return { ...reply, json: body }
      const isWrong = at.request.path.endsWith('/messages')
      const url = new URL(link, 'http://localhost')
      if (isWrong) url.host = 'backend.internal:8080'
      return { ...reply, json: { ...body, '@odata.nextLink': isWrong ? url.href : link } }
    },
  })),
  mutant('link-without-prefix', 'The next link is called @nextLink, although the version is 4.0.', () =>
    withoutPrefix('nextLink'),
  ),
  mutant('count-without-prefix', 'The count is called @count, although the version is 4.0.', () =>
    withoutPrefix('count'),
  ),
  mutant('page-skips-a-row', 'Each page starts one row too late.', correct => ({
    page: (rows, at) => {
      const page = correct.page(rows, at)
      return page.next === undefined ? page : { ...page, next: String(Number(page.next) + 1) }
    },
  })),
  mutant('page-repeats-a-row', 'Each page starts with the last row of the previous page.', correct => ({
    page: (rows, at) => {
      const page = correct.page(rows, at)
      return page.next === undefined || page.rows.length < 2 ? page : { ...page, next: String(Number(page.next) - 1) }
    },
  })),
  mutant('shared-position', 'The position of a list is kept in the service, for all lists at once.', correct => {
    let position = '0'
    return {
      page: (rows, at) => {
        const { skiptoken } = at.options
        const options = skiptoken === undefined ? at.options : { ...at.options, skiptoken: position }
        const page = correct.page(rows, { ...at, options })
        if (page.next !== undefined) position = page.next
        return page
      },
    }
  }),
  mutant('last-page-links-on', 'The last page has a next link to itself.', correct => ({
    page: (rows, at) => {
      const page = correct.page(rows, at)
      return { ...page, next: page.next ?? String(startOf(at) ?? at.options.skip ?? 0) }
    },
  })),
  mutant('link-never-advances', 'The next link of a later page leads to the same page.', () => ({
    nextLinkQuery: (position, at) => linkQuery('skiptoken', String(startOf(at) ?? position), at),
  })),
  mutant(
    'link-never-advances-beside-expand',
    'With $expand, the next link of a later page leads to the same page.',
    correct => ({
      nextLinkQuery: (position, at) =>
        at.options.expand === undefined
          ? correct.nextLinkQuery(position, at)
          : linkQuery('skiptoken', String(startOf(at) ?? position), at),
    }),
  ),
  mutant('second-page-is-last', 'The second page has no next link, although rows remain.', correct => ({
    page: (rows, at) => {
      const page = correct.page(rows, at)
      return startOf(at) === undefined ? page : { rows: page.rows }
    },
  })),
  mutant('single-last-row-lost', 'A page has no next link if one row remains.', correct => ({
    page: (rows, at) => {
      const page = correct.page(rows, at)
      return Number(page.next) === rows.length - 1 ? { rows: page.rows } : page
    },
  })),
  mutant('no-next-link', 'A page never has a next link.', correct => ({
    page: (rows, at) => ({ rows: correct.page(rows, at).rows }),
  })),
  loses('filter'),
  loses('select'),
  loses('orderby'),
  loses('expand'),
  mutant('link-loses-search-with-filter', 'The next link loses $search if there is a $filter.', () => ({
    nextLinkQuery: (position, at) => {
      const query = linkQuery('skiptoken', position, at)
      if (at.options.filter === undefined) return query
      return query
        .split('&')
        .filter(part => !/^(?:\$|%24)search=/i.test(part))
        .join('&')
    },
  })),
  mutant('link-forgets-the-skip', 'The next link of the first page forgets what was skipped.', correct => ({
    page: (rows, at) => {
      const page = correct.page(rows, at)
      const { skip = 0 } = at.options
      return page.next === undefined || startOf(at) !== undefined
        ? page
        : { ...page, next: String(Number(page.next) - skip) }
    },
  })),
  mutant('link-null-on-last-page', 'The last page has a next link of null.', () =>
    changeList(body => ('@odata.nextLink' in body ? body : { ...body, '@odata.nextLink': null })),
  ),
  mutant('link-is-empty', 'The last page has an empty next link.', () =>
    changeList(body => ('@odata.nextLink' in body ? body : { ...body, '@odata.nextLink': '' })),
  ),
  mutant('link-refused', 'Following a next link causes an error.', () => ({
    reject: (options, at) =>
      options.skiptoken === undefined ? undefined : { kind: 'refused', error: at.service.faults.malformedQueryOption },
  })),
  mutant('link-decoded', 'The next link is not percent-encoded.', () =>
    changeLink(link => decodeURIComponent(link.replaceAll('%25', '%2525').replaceAll(/%(?![0-9a-f]{2})/gi, '%25'))),
  ),
  mutant('later-pages-in-another-order', 'Later pages have a different order than the first.', correct => ({
    sortRows: (rows, keys, at) => {
      const ordered = correct.sortRows(rows, keys, at)
      return startOf(at) === undefined ? ordered : [...ordered].reverse()
    },
  })),
  mutant('continuation-ignores-desc', 'Later pages are always sorted ascending.', correct => ({
    compareSortValues: (left, right, item, at) =>
      correct.compareSortValues(left, right, startOf(at) === undefined ? item : { ...item, direction: 'asc' }, at),
  })),
  mutant('nulls-vanish-while-paging', 'Rows whose sort key is null are missing from later pages.', correct => ({
    page: (rows, at) => {
      const page = correct.page(rows, at)
      const first = at.options.orderby?.[0]?.expression
      const name = first?.kind === 'path' && first.segments[0]?.kind === 'property' ? first.segments[0].name : undefined
      if (name === undefined || startOf(at) === undefined) return page
      return { ...page, rows: page.rows.filter(row => row.values[name] !== null) }
    },
  })),
  mutant(
    'null-key-breaks-the-link',
    'Following a link to a page that starts after a null causes an internal error.',
    correct => ({
      page: (rows, at) => {
        const first = at.options.orderby?.[0]?.expression
        const name =
          first?.kind === 'path' && first.segments[0]?.kind === 'property' ? first.segments[0].name : undefined
        const before = rows[(startOf(at) ?? 0) - 1]
        if (name !== undefined && startOf(at) !== undefined && before?.values[name] === null) throw new ServiceCrash()
        return correct.page(rows, at)
      },
    }),
  ),
  mutant('link-repeats-top', 'The next link has $top twice.', () => ({
    nextLinkQuery: (position, at) => `${linkQuery('skiptoken', position, at)}&$top=${pageSize(at)}`,
  })),
  mutant('list-is-an-array', 'A list is an array without an envelope.', () => changeList(body => body['value'] ?? [])),
  mutant('value-is-missing-when-empty', 'An empty list has no value.', () =>
    changeList(body => {
      const { value, ...others } = body
      return Array.isArray(value) && value.length === 0 ? others : body
    }),
  ),
  mutant('empty-list-is-204', 'An empty list has the status 204 and no body.', () => ({
    reply: (reply, at) => {
      const { json } = reply
      const isEmpty = json !== undefined && isObject(json) && Array.isArray(json['value']) && json['value'].length === 0
      return isEmpty && at.endpoint?.kind === 'collection' && at.request.method === 'GET' && reply.status === 200
        ? { status: 204, headers: reply.headers }
        : reply
    },
  })),
  mutant('pages-are-shuffled', 'The order changes from request to request, so pages overlap.', correct => ({
    sortRows: (rows, keys, at) => {
      const ordered = correct.sortRows(rows, keys, at)
      return keys.length > 0 ? ordered : turned(ordered, at)
    },
  })),
  libraryMutant('total-starts-anew', '$top applies again to each later page.', correct => ({
    page: (rows, at) => {
      const start = startOf(at) ?? at.options.skip ?? 0
      const end = start + pageSize(at)
      return at.options.top === undefined || at.options.top === 0
        ? correct.page(rows, at)
        : { rows: rows.slice(start, end), ...(end < rows.length ? { next: String(end) } : {}) }
    },
  })),
]

function turned<Item>(rows: readonly Item[], at: EndpointContext): readonly Item[] {
  const by = (at.number * 7) % Math.max(1, rows.length)
  return [...rows.slice(by), ...rows.slice(0, by)]
}
