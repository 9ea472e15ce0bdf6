import type { Replay } from '../report/replay-token.js'
import type { Rule, Watch } from '../rule/rule.js'
import type { Session } from '../session/session.js'
import { type Unit, unitOf } from './unit.js'

/** Each rule on each of its sites; for a replay, its rule on its site with its case. */
export function unitsOf(
  rules: readonly (Rule | Watch)[],
  session: Session,
  replay: Replay | undefined,
): readonly Unit[] {
  return rules.flatMap(rule => {
    if (rule.kind === 'watching' || (rule.writes && session.ledger === undefined)) return []
    if (replay === undefined) return rule.sites(session).map((site, rank) => unitOf(rule, site, rank))
    if (rule.id !== (replay.by ?? replay.rule) || replay.ask !== undefined) return []
    const site = session.sites.find(({ id }) => id === replay.site)
    if (site === undefined) return []
    return [{ ...unitOf(rule, site, 0), cases: { planned: [replay.test] } }]
  })
}
