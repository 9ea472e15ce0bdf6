import type { Arbitrary } from 'fast-check'
import type { ActiveRule, RuleMetadata, TestCase, TestStep } from '../../rule/rule.js'
import type { Session } from '../../session/session.js'
import { runSequence } from './model.js'
import { cannotWrite, type WriteSite, writeSite, writeSites } from './write-site.js'

interface SequenceRule extends Pick<RuleMetadata, 'id' | 'statement' | 'advice' | 'aspects' | 'covers'> {
  readonly cost: number
  readonly weight: number
  readonly sites?: (session: Session) => readonly WriteSite[]
  /** Sequences that always run, before the random ones. */
  readonly planned: (site: WriteSite) => readonly (readonly TestStep[])[]
  readonly random?: (site: WriteSite) => Arbitrary<TestCase>
}

/** A rule that runs sequences of writes and reads against a model. */
export function sequenceRule({ sites = writeSites, planned, random, ...metadata }: SequenceRule): ActiveRule {
  return {
    kind: 'active',
    area: 'writing',
    severity: 'must',
    writes: true,
    ...metadata,
    sites,
    cases: (site, session) => {
      const writable = writeSite(site, session)
      if (writable === undefined) return { skipReason: cannotWrite }
      const { deletion } = writable
      const cases = planned(writable).map(steps =>
        steps.filter(({ action }) => action !== 'delete' || deletion !== undefined),
      )
      return {
        planned: cases.map(steps => ({ steps })),
        // Items that remain must be few.
        ...(random === undefined || deletion === undefined ? {} : { random: random(writable) }),
      }
    },
    check: async ({ steps = [] }, site, session) => {
      const writable = writeSite(site, session)
      return writable === undefined ? { kind: 'inconclusive', why: cannotWrite } : runSequence(steps, writable, session)
    },
  }
}
