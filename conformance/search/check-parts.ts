import type { SearchExpression } from '../../runtime/query/index.js'
import { printSearch } from '../../runtime/query/index.js'
import type { Answer } from '../http/answer.js'
import type { Verdict } from '../rule/verdict.js'
import type { Session } from '../session/session.js'
import type { Site } from '../site/site.js'
import { foundBy } from './found-by.js'

/**
 * Holds a search of several terms to what its parts find, where the rows do not show enough to predict it. Absent for a
 * single term, and when a part was not answered as a whole.
 */
export async function checkParts(
  search: SearchExpression,
  whole: { readonly keys: ReadonlySet<string>; readonly answers: readonly Answer[] },
  site: Site,
  session: Session,
): Promise<Verdict | undefined> {
  const parts = partsOf(search)
  const sets: ReadonlySet<string>[] = []
  const answers = [...whole.answers]
  for (const part of parts) {
    const answer = await foundBy(part, site, session)
    if (answer.kind === 'ended' || !answer.isWhole) return undefined
    sets.push(answer.keys)
    answers.push(...answer.answers)
  }
  const wanted = combine(search, sets, session.snapshot(site)?.complete ? session.snapshot(site)?.byKey : undefined)
  if (wanted === undefined) return undefined
  const missing = [...wanted].filter(key => !whole.keys.has(key))
  const surplus = [...whole.keys].filter(key => !wanted.has(key))
  if (missing.length === 0 && surplus.length === 0) return { kind: 'pass' }
  return {
    kind: 'fail',
    finding: {
      message: `A search with ${search.kind.toUpperCase()} does not agree with what its terms find by themselves.`,
      expected: `${wanted.size} rows for ${printSearch(search)}, from what its terms find`,
      received: `${whole.keys.size} rows`,
      missing,
      surplus,
      answers,
      features: ['search', search.kind],
    },
  }
}

function partsOf(search: SearchExpression): readonly SearchExpression[] {
  switch (search.kind) {
    case 'and':
    case 'or':
      return [search.left, search.right]
    case 'not':
      return [search.operand]
    default:
      return []
  }
}

function combine(
  search: SearchExpression,
  [first, second]: readonly ReadonlySet<string>[],
  all: ReadonlyMap<string, unknown> | undefined,
): ReadonlySet<string> | undefined {
  if (first === undefined) return undefined
  switch (search.kind) {
    case 'and':
      return new Set([...first].filter(key => second?.has(key)))
    case 'or':
      return new Set([...first, ...(second ?? [])])
    case 'not':
      return all === undefined ? undefined : new Set([...all.keys()].filter(key => !first.has(key)))
    default:
      return undefined
  }
}
