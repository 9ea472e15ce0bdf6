import type { Site } from '../discover/site.js'
import type { TestResponse } from '../http/message.js'
import type { Finding, PassiveRule } from '../rule/rule.js'
import type { Session } from '../session/session.js'

/** What a watching rule saw in an answer. */
export interface SuspectedViolation {
  readonly rule: PassiveRule
  readonly answer: TestResponse
  readonly site: Site | undefined
  readonly finding: Finding
}

/** Shows each answer to all watching rules, and keeps what they find until it is taken. */
export interface PassiveRuleMonitor {
  readonly inspect: (answer: TestResponse, site: Site | undefined, session: Session) => void
  readonly takeSuspected: () => readonly SuspectedViolation[]
  /** On how many answers a rule had something to look at. */
  readonly inspections: (watch: PassiveRule) => number
}

export function monitorPassiveRules(watches: readonly PassiveRule[]): PassiveRuleMonitor {
  let sightings: SuspectedViolation[] = []
  const looks = new Map<PassiveRule, number>()
  return {
    inspect: (answer, site, session) => {
      if (answer.transportError !== undefined) return
      for (const watch of watches) {
        const finding = watch.inspect(answer, site, session)
        if (finding === undefined) continue
        looks.set(watch, (looks.get(watch) ?? 0) + 1)
        if (finding !== 'seen') sightings.push({ rule: watch, answer, site, finding })
      }
    },
    takeSuspected: () => {
      const taken = sightings
      sightings = []
      return taken
    },
    inspections: watch => looks.get(watch) ?? 0,
  }
}
