import { countOf, queryText } from '../lists/read-rows.js'
import { readRequest } from '../rule/query-request.js'
import { isRejection } from '../rule/response.js'
import { pageOf } from '../session/list-pages.js'
import { type Calibrator, conclude, type Observation } from './calibrator.js'
import { probeDefaultList, probePages, probeSites } from './list-probes.js'

/** C2: whether a list that is longer than $top goes on. */
export const topMeaning: Calibrator = {
  choice: 'topMeaning',
  learn: async session => {
    const signs = (await probePages(session)).flatMap(({ site, options, listing }): readonly Observation[] => {
      const [first, second] = listing.pages
      const page = first === undefined ? undefined : pageOf(first)
      if (page === undefined) return []
      const text = `${site.id} with ${queryText(options)}`
      // A link may lead to an empty page: that shows nothing of what the list holds.
      const isEmpty = second !== undefined && pageOf(second)?.rows.length === 0
      const leadsOn = page.nextLink !== undefined && page.rows.length >= options.top && !isEmpty
      const more = listing.rows.length > options.top || leadsOn
      if (more) return [{ value: 'pageSize', evidence: `${text} goes on after ${options.top} items` }]
      const ends = listing.end === 'whole' && listing.rows.length === options.top
      return ends ? [{ value: 'total', evidence: `${text} ends after ${options.top} items` }] : []
    })
    return conclude(signs, 'no list is longer than a small $top')
  },
}

/** C4. */
export const topZero: Calibrator = {
  choice: 'topZero',
  neededBy: ['top-bounds'],
  after: ['topMeaning'],
  learn: async session => {
    const signs: Observation[] = []
    for (const site of probeSites(session, ({ top }) => top.support !== 'none' && top.min === 0, 1).slice(0, 1)) {
      if (!session.support.isSupported(site, 'top')) continue
      const answer = await session.send(readRequest(site, { top: 0 }))
      const page = pageOf(answer)
      if (isRejection(answer, session)) signs.push({ value: 'error', evidence: `${site.id} refuses $top=0` })
      else if (page?.rows.length === 0) signs.push({ value: 'empty', evidence: `${site.id} has no items with $top=0` })
    }
    return conclude(signs, 'no list was seen to take $top')
  },
}

/** C3. Whether $top is cut or passed over shows only where more items come than a page has by default. */
export const topAboveMaximum: Calibrator = {
  choice: 'topAboveMaximum',
  neededBy: ['top-bounds'],
  after: ['topMeaning'],
  learn: async session => {
    const signs: Observation[] = []
    const open = probeSites(session, ({ top }) => top.above === 'open' && top.max !== undefined, 1)
    const known = open.filter(site => session.support.isSupported(site, 'top'))
    const longest = [...known].sort((a, b) => excess(b) - excess(a))[0]
    const { max = 0, default: usual = max } = longest?.endpoint.query.top ?? {}
    if (longest !== undefined) {
      const answer = await session.send(readRequest(longest, { top: max + 1 }))
      const page = pageOf(answer)
      const text = `${longest.id} with $top=${max + 1}`
      if (isRejection(answer, session)) signs.push({ value: 'error', evidence: `${text} is refused` })
      else if (page !== undefined && page.rows.length > usual) {
        signs.push({ value: 'clamp', evidence: `${text} has ${page.rows.length} items on a page` })
      } else if (page?.nextLink !== undefined && page.rows.length === usual) {
        signs.push({ value: 'ignore', evidence: `${text} has the ${usual} items of a page without $top` })
      }
    }
    return conclude(signs, 'no list is longer than its pages')

    function excess(site: (typeof open)[number]): number {
      return (session.snapshot(site)?.rows.length ?? 0) - (site.endpoint.query.top.default ?? 0)
    }
  },
}

/** C1. */
export const defaultPageSize: Calibrator = {
  choice: 'defaultPageSize',
  learn: async session => {
    const found = await probeDefaultList(session)
    const [first] = found?.listing.pages ?? []
    const page = first === undefined ? undefined : pageOf(first)
    const declared = found?.site.endpoint.query.top.default
    if (found === undefined || page === undefined || declared === undefined) return conclude([], 'no list was read')
    const length = page.rows.length
    const isShort = page.nextLink === undefined && length <= declared
    if (isShort) return conclude([], 'no list is longer than its pages')
    const value = length === declared ? 'declared' : 'other'
    return conclude(
      [{ value, evidence: `a page of ${found.site.id} has ${length} items; declared are ${declared}` }],
      '',
    )
  },
}

/** C22: one page that is too short shows that pages may be; full ones show that these were. */
export const shortPages: Calibrator = {
  choice: 'shortPages',
  learn: async session => {
    const signs = (await probePages(session)).flatMap(({ site, options, listing }) =>
      listing.pages.flatMap((answer): readonly Observation[] => {
        const page = pageOf(answer)
        if (page?.nextLink === undefined) return []
        const value = page.rows.length < options.top ? 'anyLength' : 'full'
        const witness = `a page of ${site.id} for $top=${options.top} has ${page.rows.length} items and a next link`
        return [{ value, evidence: witness }]
      }),
    )
    const short = signs.filter(({ value }) => value === 'anyLength')
    return conclude(short.length > 0 ? short : signs, 'no page with a next link was seen')
  },
}

/** C23. */
export const nextLinkForm: Calibrator = {
  choice: 'nextLinkForm',
  learn: async session => {
    const signs = (await probePages(session)).flatMap(({ site, listing }) =>
      listing.pages.flatMap((answer): readonly Observation[] => {
        const link = pageOf(answer)?.nextLink
        if (link === undefined) return []
        const value = URL.canParse(link) ? 'absolute' : 'relative'
        return [{ value, evidence: `${site.id} has a next link that is ${value}` }]
      }),
    )
    return conclude(signs, 'no next link was seen')
  },
}

/** C5. */
export const countOnLaterPages: Calibrator = {
  choice: 'countOnLaterPages',
  learn: async session => {
    const signs = (await probePages(session)).flatMap(({ site, options, listing }): readonly Observation[] => {
      const [first, second] = listing.pages
      if (options.count !== true || second?.status !== 200 || countOf(first) === undefined) return []
      const isThere = countOf(second) !== undefined
      const witness = `the second page of ${site.id} has ${isThere ? 'a' : 'no'} count`
      return [{ value: isThere ? 'every' : 'first', evidence: witness }]
    })
    return conclude(signs, 'no second page of a counted list was seen')
  },
}

/** C6, on lists where the spec leaves it open. */
export const countWithoutHeader: Calibrator = {
  choice: 'countWithoutHeader',
  neededBy: ['header-required'],
  learn: async session => {
    const signs: Observation[] = []
    const sites = probeSites(
      session,
      ({ count, requires }) => count !== 'none' && requires.some(({ open }) => open?.name === 'countWithoutHeader'),
      1,
    )
    for (const site of sites.slice(0, 1)) {
      const answer = await session.send({ method: 'GET', path: site.path, options: { count: true } })
      const text = `${site.id} with $count=true and no header`
      if (isRejection(answer, session)) signs.push({ value: 'rejected', evidence: `${text} is refused` })
      else if (answer.status === 200) {
        const isCounted = countOf(answer) !== undefined
        signs.push({
          value: isCounted ? 'counted' : 'ignored',
          evidence: `${text} has ${isCounted ? 'a' : 'no'} count`,
        })
      }
    }
    return conclude(signs, 'no list that may be counted')
  },
}

/** The count read by itself, where the spec leaves open whether it needs the header. */
export const countPathWithoutHeader: Calibrator = {
  choice: 'countPathWithoutHeader',
  neededBy: ['header-required'],
  learn: async session => {
    const signs: Observation[] = []
    for (const site of session.sites) {
      const { endpoint } = site
      if (endpoint.kind !== 'count') continue
      if (!endpoint.query?.requires.some(({ open }) => open?.name === 'countPathWithoutHeader')) continue
      const answer = await session.send({ method: 'GET', path: site.path })
      const text = `${site.id} without the header`
      if (isRejection(answer, session)) signs.push({ value: 'rejected', evidence: `${text} is refused` })
      else if (answer.status === 200) signs.push({ value: 'answered', evidence: `${text} is answered` })
      if (signs.length > 0) break
    }
    return conclude(signs, 'no count path')
  },
}
