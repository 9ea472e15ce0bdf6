import { type Expression, printFilter } from '../../../runtime/query/index.js'
import type { EntityType } from '../../../spec/language/index.js'
import type { Row } from '../../json.js'
import { binary, joined, pathTo } from '../../query/build.js'
import { filterSites } from '../../query/filter-sites.js'
import { filtered } from '../../query/filtered.js'
import { grammarOf } from '../../query/grammar.js'
import { literalOf } from '../../query/literal-of.js'
import { observed, valuesAt } from '../../query/observed.js'
import type { Session } from '../../session/session.js'
import { keyOf } from '../../site/key-of.js'
import type { Site } from '../../site/site.js'
import type { Calibrator } from '../calibrator.js'

/** Lists that are asked for: moments of some properties may be whole although others are kept finer. */
const mostAsked = 3
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

/** One of each list: some moments of each property that shows any. */
function questions(session: Session): readonly Question[] {
  const asked = new Set<string>()
  return filterSites(session)
    .flatMap((site): readonly Question[] => {
      const { type } = site
      const grammar = grammarOf(site, session)
      const rows = session.snapshot(site)?.rows ?? []
      if (type === undefined || grammar === undefined) return []
      const terms = grammar.terms.filter(
        ({ type: valueType, path }) =>
          valueType === 'Edm.DateTimeOffset' && !asked.has(nameOf(type, path)) && observed(rows, path).length > 0,
      )
      const some = grammar.has('or') ? terms : terms.slice(0, 1)
      const parts = some.map(({ path }) =>
        momentsAt(path, rows, grammar.has('or') ? Math.floor(smallPage / some.length) : 1, session),
      )
      const [first, ...others] = parts.flatMap(({ conditions }) => conditions)
      if (first === undefined) return []
      for (const { path } of some) asked.add(nameOf(type, path))
      const shown = new Set(parts.flatMap(part => part.rows))
      const keys = new Set([...shown].flatMap(row => keyOf(row, type) ?? []))
      return [{ site, filter: joined('or', first, ...others), keys }]
    })
    .slice(0, mostAsked)
}

function nameOf({ name }: EntityType, path: readonly string[]): string {
  return `${name} ${path.join('/')}`
}

/** Moments that so few rows show that these come on one page, whatever its size, and these rows. */
function momentsAt(
  path: readonly string[],
  rows: readonly Row[],
  most: number,
  session: Session,
): { readonly conditions: readonly Expression[]; readonly rows: readonly Row[] } {
  const shown: Row[] = []
  const conditions = observed(rows, path).flatMap((value, index) => {
    const here = rows.filter(row => valuesAt([row], path)[0] === value)
    const literal = literalOf('Edm.DateTimeOffset', value, session)
    if (literal === undefined || (index > 0 && shown.length + here.length > most)) return []
    shown.push(...here)
    return [binary('eq', pathTo(path), literal)]
  })
  return { conditions, rows: shown }
}
