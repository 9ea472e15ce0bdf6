import { type Expression, printFilter } from '../../../runtime/query/index.js'
import { filtered } from '../../query/filtered.js'
import { pagedFilter } from '../../query/paged-filter.js'
import type { Session } from '../../session/session.js'
import type { Site } from '../../site/site.js'

/** A filter, and the rows that show what it asks for. */
export interface MomentQuestion {
  readonly site: Site
  readonly filter: Expression
  readonly keys: ReadonlySet<string>
}

/** Whether all rows came; absent when that was not answered. */
export async function isAllGiven(
  { site, filter, keys }: MomentQuestion,
  session: Session,
): Promise<boolean | undefined> {
  const answer = await filtered(site, session, pagedFilter(filter, site, session))
  if (answer.kind !== 'keys' || !answer.isWhole) return undefined
  return [...keys].every(key => answer.keys.has(key))
}

/** The query of a question, as the report shows it. */
export function textOf({ site, filter }: MomentQuestion): string {
  return `${site.path}?$filter=${printFilter(filter)}`
}
