import { countOf, queryText } from '../lists/read-rows.js'
import { readRequest } from '../rule/query-request.js'
import { isRejection } from '../rule/response.js'
import { pageOf } from '../session/session.js'
import { type Calibrator, conclude, type Observation } from './calibrator.js'
import { probeDefaultList, probePages, probeSites } from './list-probes.js'

/** Whether a list that is longer than `$top` continues on another page. */
export const topMeaning: Calibrator = {
  choice: 'topMeaning',
  learn: async session => {
    const observations = (await probePages(session)).flatMap(({ site, options, listing }): readonly Observation[] => {
      const [first, second] = listing.pages
      const page = first === undefined ? undefined : pageOf(first)
      if (page === undefined) return []
      const text = `${site.id} with ${queryText(options)}`
      // A link may lead to an empty page, which proves nothing about the list.
      const isEmpty = second !== undefined && pageOf(second)?.rows.length === 0
      const leadsOn = page.nextLink !== undefined && page.rows.length >= options.top && !isEmpty
      const more = listing.rows.length > options.top || leadsOn
      if (more) return [{ value: 'pageSize', evidence: `${text} continues after ${options.top} items`, site }]
      const ends = listing.end === 'complete' && listing.rows.length === options.top
      return ends ? [{ value: 'total', evidence: `${text} ends after ${options.top} items`, site }] : []
    })
    return conclude(observations, 'no list is longer than a small $top')
  },
}

export const topZero: Calibrator = {
  choice: 'topZero',
  neededBy: ['top-bounds'],
  after: ['topMeaning'],
  learn: async session => {
    const observations: Observation[] = []
    for (const site of probeSites(session, ({ top }) => top.support !== 'none' && top.min === 0, 1).slice(0, 1)) {
      if (!session.support.isSupported(site, 'top')) continue
      const response = await session.send(readRequest(site, { top: 0 }))
      const page = pageOf(response)
      if (isRejection(response, session))
        observations.push({ value: 'error', evidence: `${site.id} rejects $top=0`, site })
      else if (page?.rows.length === 0)
        observations.push({ value: 'empty', evidence: `${site.id} has no items with $top=0`, site })
    }
    return conclude(observations, 'no list supports $top')
  },
}

/**
 * How the service treats `$top` above the maximum. The difference shows only if the list is longer than a default page.
 */
export const topAboveMaximum: Calibrator = {
  choice: 'topAboveMaximum',
  neededBy: ['top-bounds'],
  after: ['topMeaning'],
  learn: async session => {
    const observations: Observation[] = []
    const open = probeSites(session, ({ top }) => top.above === 'open' && top.max !== undefined, 1)
    const known = open.filter(site => session.support.isSupported(site, 'top'))
    const longest = [...known].sort((a, b) => excess(b) - excess(a))[0]
    const { max = 0, default: usual = max } = longest?.endpoint.query.top ?? {}
    if (longest !== undefined) {
      const response = await session.send(readRequest(longest, { top: max + 1 }))
      const page = pageOf(response)
      const text = `${longest.id} with $top=${max + 1}`
      if (isRejection(response, session))
        observations.push({ value: 'error', evidence: `${text} is rejected`, site: longest })
      else if (page !== undefined && page.rows.length > usual) {
        observations.push({
          value: 'clamp',
          evidence: `${text} has ${page.rows.length} items on a page`,
          site: longest,
        })
      } else if (page?.nextLink !== undefined && page.rows.length === usual) {
        observations.push({
          value: 'ignore',
          evidence: `${text} has ${usual} items, as a page without $top`,
          site: longest,
        })
      }
    }
    return conclude(observations, 'no list is longer than a page')

    function excess(site: (typeof open)[number]): number {
      return (session.snapshot(site)?.rows.length ?? 0) - (site.endpoint.query.top.default ?? 0)
    }
  },
}

export const defaultPageSize: Calibrator = {
  choice: 'defaultPageSize',
  learn: async session => {
    const found = await probeDefaultList(session)
    const [first] = found?.listing.pages ?? []
    const page = first === undefined ? undefined : pageOf(first)
    const declared = found?.site.endpoint.query.top.default
    if (found === undefined || page === undefined || declared === undefined)
      return conclude([], 'no list could be read')
    const length = page.rows.length
    const isShort = page.nextLink === undefined && length <= declared
    if (isShort) return conclude([], 'no list is longer than a page')
    const value = length === declared ? 'declared' : 'other'
    const evidence = `a page of ${found.site.id} has ${length} items; the spec declares ${declared}`
    return conclude([{ value, evidence, site: found.site }], '')
  },
}

/** A short page with a next link proves that pages may have any length. Full pages prove it only for these lists. */
export const shortPages: Calibrator = {
  choice: 'shortPages',
  learn: async session => {
    const observations = (await probePages(session)).flatMap(({ site, options, listing }) =>
      listing.pages.flatMap((response): readonly Observation[] => {
        const page = pageOf(response)
        if (page?.nextLink === undefined) return []
        const value = page.rows.length < options.top ? 'anyLength' : 'full'
        const evidence = `a page of ${site.id} for $top=${options.top} has ${page.rows.length} items and a next link`
        return [{ value, evidence, site }]
      }),
    )
    const short = observations.filter(({ value }) => value === 'anyLength')
    return conclude(short.length > 0 ? short : observations, 'no page with a next link was seen', ['full'])
  },
}

export const nextLinkForm: Calibrator = {
  choice: 'nextLinkForm',
  learn: async session => {
    const observations = (await probePages(session)).flatMap(({ site, listing }) =>
      listing.pages.flatMap((response): readonly Observation[] => {
        const link = pageOf(response)?.nextLink
        if (link === undefined) return []
        const value = URL.canParse(link) ? 'absolute' : 'relative'
        return [{ value, evidence: `${site.id} has a next link that is ${value}`, site }]
      }),
    )
    return conclude(observations, 'no next link was seen')
  },
}

export const countOnLaterPages: Calibrator = {
  choice: 'countOnLaterPages',
  learn: async session => {
    const observations = (await probePages(session)).flatMap(({ site, options, listing }): readonly Observation[] => {
      const [first, second] = listing.pages
      if (options.count !== true || second?.status !== 200 || countOf(first) === undefined) return []
      const isThere = countOf(second) !== undefined
      const evidence = `the second page of ${site.id} has ${isThere ? 'a' : 'no'} count`
      return [{ value: isThere ? 'every' : 'first', evidence, site }]
    })
    return conclude(observations, 'no second page of a counted list was seen')
  },
}

/** How `$count=true` works without the header that the spec names. */
export const countWithoutHeader: Calibrator = {
  choice: 'countWithoutHeader',
  neededBy: ['header-required'],
  learn: async session => {
    const observations: Observation[] = []
    const sites = probeSites(
      session,
      ({ count, requires }) => count !== 'none' && requires.some(({ open }) => open?.name === 'countWithoutHeader'),
      1,
    )
    for (const site of sites) {
      const response = await session.send({ method: 'GET', path: site.path, options: { count: true } })
      const text = `${site.id} with $count=true and no header`
      if (isRejection(response, session))
        observations.push({ value: 'rejected', evidence: `${text} is rejected`, site })
      else if (response.status === 200) {
        const isCounted = countOf(response) !== undefined
        observations.push({
          value: isCounted ? 'counted' : 'ignored',
          evidence: `${text} has ${isCounted ? 'a' : 'no'} count`,
          site,
        })
      }
    }
    return conclude(observations, 'no list supports $count')
  },
}

/** Whether a count path needs the header that the spec names. */
export const countPathWithoutHeader: Calibrator = {
  choice: 'countPathWithoutHeader',
  neededBy: ['header-required'],
  learn: async session => {
    const observations: Observation[] = []
    for (const site of session.sites) {
      const { endpoint } = site
      if (endpoint.kind !== 'count') continue
      if (!endpoint.query?.requires.some(({ open }) => open?.name === 'countPathWithoutHeader')) continue
      const response = await session.send({ method: 'GET', path: site.path })
      const text = `${site.id} without the header`
      if (isRejection(response, session))
        observations.push({ value: 'rejected', evidence: `${text} is rejected`, site })
      else if (response.status === 200) observations.push({ value: 'answered', evidence: `${text} is answered`, site })
    }
    return conclude(observations, 'no count path')
  },
}
