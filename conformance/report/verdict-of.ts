import { choiceRuleId } from '../engine/choice-rule-id.js'
import type { RunOutcome } from './build-report.js'
import type { KnownFailureResult, Report, RuleResult, Violation } from './report.js'

/** Of the rules that apply, the share that must have told something apart for a run to say anything. */
const leastShare = 0.4

/** The verdict, and the sentence that says why. */
export function verdictOf(
  outcome: RunOutcome,
  violations: readonly Violation[],
  rules: readonly RuleResult[],
  knownFailures: readonly KnownFailureResult[],
): Pick<Report, 'verdict' | 'summary'> {
  const fresh = violations.filter(({ known }) => known === undefined)
  if (fresh.length > 0) {
    const early = outcome.stopped === undefined ? '' : ` The run broke off: ${outcome.stopped.why}`
    return { verdict: 'violations', summary: `${count(fresh.length, 'violation')} of ${rulesOf(fresh)}.${early}` }
  }
  if (outcome.stopped !== undefined) return { verdict: outcome.stopped.verdict, summary: outcome.stopped.why }
  const stale = knownFailures.filter(({ state }) => state === 'fixed' || state === 'unknown')
  if (stale.length > 0) {
    const names = stale.map(({ rule }) => rule).join(', ')
    return { verdict: 'stale', summary: `The list of known failures is out of date: ${names}.` }
  }
  const applicable = namesOf(rules.filter(({ state }) => state !== 'not-applicable'))
  const exercised = namesOf(
    rules.filter(({ state }) => state === 'passed' || state === 'known' || state === 'violated'),
  )
  const share = `${exercised.size} of ${count(applicable.size, 'rule')} could be exercised`
  // Rules that only watch say little by themselves: they look at whatever comes.
  const asking = namesOf(rules.filter(({ site }) => site !== ''))
  const told = [...asking].filter(rule => exercised.has(rule))
  const isHollow =
    !outcome.isPlanned || (asking.size === 0 ? exercised.size === 0 : told.length < asking.size * leastShare)
  if (outcome.interrupted) return { verdict: 'interrupted', summary: `Stopped early. ${share}.` }
  const isReplay = outcome.replay !== undefined
  if (isReplay && exercised.size === 0 && !isChoiceLearned(outcome)) {
    return {
      verdict: 'hollow',
      summary: 'What is to be tried again could not be: its address is gone, or it is refused.',
    }
  }
  if (!isReplay && (applicable.size === 0 || isHollow)) {
    const why = outcome.isPlanned ? 'too little to say anything' : 'the budget was spent on reading what is there'
    return { verdict: 'hollow', summary: `Only ${share}: ${why}.` }
  }
  const known = violations.length === 0 ? '' : ` ${count(violations.length, 'known failure')} remain.`
  return { verdict: 'conforms', summary: `No violation found. ${share}.${known}` }
}

/** Whether what is tried again is a choice, and it was seen to be a legal one. */
function isChoiceLearned({ choices, replay }: RunOutcome): boolean {
  return choices.some(({ choice, value }) => choiceRuleId(choice) === replay?.rule && value !== undefined)
}

function namesOf(rules: readonly RuleResult[]): ReadonlySet<string> {
  return new Set(rules.map(({ rule }) => rule))
}

function rulesOf(violations: readonly Violation[]): string {
  return count(new Set(violations.map(({ rule }) => rule)).size, 'rule')
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`
}
