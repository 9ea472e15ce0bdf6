import type { QueryOptions } from '../../runtime/query/index.js'
import type { Answer } from '../http/answer.js'
import type { Ask } from '../http/ask.js'
import { constructsOf } from '../rule/constructs-of.js'
import { describeAnswer } from '../rule/describe-answer.js'
import { readAsk } from '../rule/read-ask.js'
import { isRefusal } from '../rule/refusal.js'
import { untold } from '../rule/untold.js'
import type { Verdict } from '../rule/verdict.js'
import { linkElsewhere } from '../session/link-elsewhere.js'
import type { Session } from '../session/session.js'
import { keyOf } from '../site/key-of.js'
import type { Site } from '../site/site.js'
import { isFilterDemanded } from './is-filter-demanded.js'
import { printMinimal } from './print-minimal.js'
import { shapeOf } from './shape-of.js'

/** The keys that a query gave, or why there is nothing to compare. */
export type Filtered =
  | {
      readonly kind: 'keys'
      readonly keys: ReadonlySet<string>
      /** Whether all pages were read, and `$top` cannot have cut anything off. */
      readonly isWhole: boolean
      /** The first page, which shows the query. */
      readonly answers: readonly Answer[]
    }
  | { readonly kind: 'ended'; readonly verdict: Verdict }

/** Pages read of one answer; beyond, only rows that should not be there tell something. */
const mostPages = 40

/** A query whose filter is written with no more parentheses than it takes. */
export function filterAsk(site: Site, options: QueryOptions, headers: Readonly<Record<string, string>> = {}): Ask {
  const ask = readAsk(site, options, headers)
  const { filter, ...others } = options
  if (filter === undefined) return ask
  return { ...ask, options: others, rawQuery: `$filter=${encodeURIComponent(printMinimal(filter))}` }
}

/** Asks for the rows of a collection that a query selects. */
export async function filtered(
  site: Site,
  session: Session,
  options: QueryOptions,
  headers: Readonly<Record<string, string>> = {},
  pages: number = mostPages,
): Promise<Filtered> {
  const constructs = constructsOf(options)
  if (!session.support.mayAsk(site, constructs)) return ended({ kind: 'unsupported', constructs })
  const { rows, pages: answers, end } = await session.list(filterAsk(site, options, headers), { pages })
  const last = answers.at(-1)
  if (last === undefined || site.type === undefined) return ended({ kind: 'inconclusive', why: 'no answer' })
  if (end === 'refused') return ended(refusedFilter(last, options, site, session))
  if (end === 'endless') return ended({ kind: 'inconclusive', why: 'the next links do not come to an end' })
  if (end === 'elsewhere') return ended({ kind: 'inconclusive', why: linkElsewhere })
  if (end === 'broken') {
    return ended(untold(last) ?? { kind: 'inconclusive', why: `a page of the list is none: ${describeAnswer(last)}` })
  }
  const keys = new Set<string>()
  for (const row of rows) {
    const key = keyOf(row, site.type)
    if (key === undefined) return ended({ kind: 'inconclusive', why: 'rows do not show their key' })
    keys.add(key)
  }
  const isCut =
    options.top !== undefined && keys.size >= options.top && session.choices.get('topMeaning') !== 'pageSize'
  return { kind: 'keys', keys, isWhole: end === 'whole' && !isCut, answers: answers.slice(0, 1) }
}

function ended(verdict: Verdict): Filtered {
  return { kind: 'ended', verdict }
}

/**
 * The verdict on a filter that was not answered. What was answered in another filter is not to blame for this one: then it
 * is only the form of this one that is not supported.
 */
export function refusedFilter(answer: Answer, options: QueryOptions, site: Site, session: Session): Verdict {
  const nothing = untold(answer)
  if (nothing !== undefined) return nothing
  if (!isRefusal(answer, session)) return { kind: 'inconclusive', why: `the filter got ${describeAnswer(answer)}` }
  const { endpoint } = site
  const constructs = constructsOf(options)
  if ('query' in endpoint && endpoint.query !== undefined && isFilterDemanded(options, endpoint.query, session)) {
    return {
      kind: 'fail',
      finding: {
        message: 'It refused a filter that every service of this interface must answer.',
        expected: 'status 200',
        received: describeAnswer(answer),
        answers: [answer],
        features: ['refused', ...constructs.filter(construct => construct.startsWith('filter.')).sort()],
      },
    }
  }
  const isAllKnown = constructs.every(construct => session.support.isKnown(site, construct))
  if (!isAllKnown || options.filter === undefined) return { kind: 'unsupported', constructs }
  return { kind: 'unsupported', constructs: [...constructs, `the filter ${shapeOf(options.filter)}`] }
}
