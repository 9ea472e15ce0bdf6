import { type Expression, printFilter } from '../../../runtime/query/index.js'
import type { Row } from '../../json.js'
import { binary, joined, pathTo } from '../../query/build.js'
import { filterSites } from '../../query/filter-sites.js'
import { filtered } from '../../query/filtered.js'
import { grammarOf } from '../../query/grammar.js'
import { literalOf } from '../../query/literal-of.js'
import { observed } from '../../query/observed.js'
import { valueAt } from '../../query/value-at.js'
import type { Session } from '../../session/session.js'
import { keyOf } from '../../site/key-of.js'
import type { Site } from '../../site/site.js'
import type { Calibrator } from '../calibrator.js'

/** Properties that are asked for, and moments of each: some may be whole although others are kept finer. */
const mostAsked = 12
const mostMoments = 8
/** Rows that any page holds. */
const smallPage = 10

/** Asks for many moments as they are shown: where they are kept finer, some rows do not come. */
export const timestampPrecision: Calibrator = {
  choice: 'timestampPrecision',
  after: ['optionSupport'],
  learn: async session => {
    const witnesses: string[] = []
    for (const { site, filter, keys } of questions(session)) {
      const answer = await filtered(site, session, { filter })
      if (answer.kind !== 'keys' || !answer.isWhole) continue
      const isAll = (given: ReadonlySet<string>): boolean => [...keys].every(key => given.has(key))
      const text = `${site.path}?$filter=${printFilter(filter)}`
      if (isAll(answer.keys)) {
        witnesses.push(`${text}: all rows that show these moments came`)
        continue
      }
      const again = await filtered(site, session, { filter })
      if (again.kind !== 'keys' || isAll(again.keys)) continue
      return { kind: 'learned', value: 'finer', witnesses: [...witnesses, `${text}: not all rows came that show them`] }
    }
    if (witnesses.length === 0) return { kind: 'undecided', why: 'no row shows a moment that a filter may read' }
    return { kind: 'learned', value: 'shown', witnesses }
  },
}

interface Question {
  readonly site: Site
  readonly filter: Expression
  readonly keys: ReadonlySet<string>
}

function questions(session: Session): readonly Question[] {
  const found: Question[] = []
  const asked = new Set<string>()
  for (const site of filterSites(session)) {
    const grammar = grammarOf(site, session)
    const rows = session.snapshot(site)?.rows ?? []
    const { type } = site
    for (const { path, type: valueType } of grammar?.terms ?? []) {
      const name = `${type?.name} ${path.join('/')}`
      if (valueType !== 'Edm.DateTimeOffset' || type === undefined || asked.has(name)) continue
      const values = fewRows(observed(rows, path), rows, path).slice(0, grammar?.has('or') ? mostMoments : 1)
      const [first, ...others] = values.flatMap(value => {
        const literal = literalOf(valueType, value, session)
        return literal === undefined ? [] : [binary('eq', pathTo(path), literal)]
      })
      if (first === undefined) continue
      asked.add(name)
      const shown = rows.filter(row => values.includes(valueAt(row, path)))
      const keys = new Set(shown.flatMap(row => keyOf(row, type) ?? []))
      found.push({ site, filter: joined('or', first, ...others), keys })
    }
  }
  return found.slice(0, mostAsked)
}

/** Moments that so few rows show that these come on one page, whatever its size. */
function fewRows(values: readonly unknown[], rows: readonly Row[], path: readonly string[]): readonly unknown[] {
  let count = 0
  return values.filter((value, index) => {
    const shown = rows.filter(row => valueAt(row, path) === value).length
    if (index > 0 && count + shown > smallPage) return false
    count += shown
    return true
  })
}
