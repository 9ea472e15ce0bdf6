import type { QueryOptions } from '../../runtime/query/index.js'
import type { Session } from '../session/session.js'
import { openTo } from './choice-of.js'

/** Where `$top` may limit the whole list and not its pages, as many items as it asked for need not be all. */
export function mayBeLimited(
  length: number,
  { top }: QueryOptions,
  session: Pick<Session, 'service' | 'choices'>,
): boolean {
  return length === top && openTo(session, 'topMeaning', 'total').may('total')
}
