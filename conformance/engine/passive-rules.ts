import type { Site } from '../discover/site.js'
import type { TestResponse } from '../http/message.js'
import type { Finding, PassiveRule } from '../rule/rule.js'
import type { Session } from '../session/session.js'

/** What a passive rule found in a response. It is not confirmed yet. */
export interface SuspectedViolation {
  readonly rule: PassiveRule
  readonly answer: TestResponse
  readonly site: Site | undefined
  readonly finding: Finding
}

/** Passes each response to all passive rules. */
export interface PassiveRuleMonitor {
  readonly inspect: (response: TestResponse, site: Site | undefined, session: Session) => readonly SuspectedViolation[]
  /** How many relevant responses a rule has inspected. */
  readonly inspections: (rule: PassiveRule) => number
}

/** @param onInspected called when a rule has inspected a relevant response */
export function monitorPassiveRules(
  rules: readonly PassiveRule[],
  onInspected: (rule: PassiveRule, response: TestResponse) => void,
): PassiveRuleMonitor {
  const looks = new Map<PassiveRule, number>()
  return {
    inspect: (response, site, session) => {
      const suspected: SuspectedViolation[] = []
      if (response.transportError !== undefined) return suspected
      for (const rule of rules) {
        const finding = rule.inspect(response, site, session)
        if (finding === undefined) continue
        looks.set(rule, (looks.get(rule) ?? 0) + 1)
        onInspected(rule, response)
        if (finding !== 'seen') suspected.push({ rule, answer: response, site, finding })
      }
      return suspected
    },
    inspections: rule => looks.get(rule) ?? 0,
  }
}
