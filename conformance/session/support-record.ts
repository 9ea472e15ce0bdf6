import type { LearnedChoice } from '../choices/choices.js'
import type { Support } from './session.js'

/** The record, with what the report needs of it. */
interface SupportRecord extends Support {
  /** What an endpoint has rejected. */
  readonly rejectionsOf: (endpoint: string) => readonly string[]
  readonly all: () => Rejections
}

export function createSupportRecord(): SupportRecord {
  const known = new Map<string, Set<string>>()
  const refused = new Map<string, ReadonlySet<string>[]>()
  const constructs = new Set<string>()
  const combinations = new Set<string>()
  const knownAt = (id: string): Set<string> => {
    const found = known.get(id) ?? new Set()
    known.set(id, found)
    return found
  }
  return {
    recordAccepted: (site, constructs) => {
      const all = knownAt(site.endpoint.name)
      for (const construct of constructs) all.add(construct)
    },
    recordRejected: (site, asked) => {
      const all = refused.get(site.endpoint.name) ?? []
      refused.set(site.endpoint.name, all)
      // A construct that was answered before is not the cause. If each one was, the combination is.
      const unknown = asked.filter(construct => !knownAt(site.endpoint.name).has(construct))
      all.push(new Set(unknown.length > 0 ? unknown : asked))
      const record = unknown.length > 0 ? constructs : combinations
      record.add(`${site.endpoint.name}: ${(unknown.length > 0 ? unknown : asked).join(' + ')}`)
    },
    maySend: (site, constructs) => {
      const asked = new Set(constructs)
      return !(refused.get(site.endpoint.name) ?? []).some(set => [...set].every(construct => asked.has(construct)))
    },
    isSupported: (site, construct) => knownAt(site.endpoint.name).has(construct),
    all: () => ({ constructs: [...constructs], combinations: [...combinations] }),
    rejectionsOf: endpoint => [...new Set((refused.get(endpoint) ?? []).map(set => [...set].join(' + ')))],
  }
}

/** Choices that the suite learns in passing, from what the service answers and rejects. */
export const supportChoices = ['optionSupport', 'optionCombinations'] as const

interface Rejections {
  /** Constructs that were rejected on their own, with their endpoints. */
  readonly constructs: readonly string[]
  /** Combinations of constructs that were answered one by one. */
  readonly combinations: readonly string[]
}

/** Completes a learned choice with what was rejected. */
export function withSupport(learned: LearnedChoice, { constructs, combinations }: Rejections): LearnedChoice {
  const { choice } = learned
  if (choice.name === 'optionSupport') return withRejections(learned, constructs, 'refused', 'supported')
  if (choice.name === 'optionCombinations') return withRejections(learned, combinations, 'limited', 'all')
  return learned
}

function withRejections(
  { choice }: LearnedChoice,
  refused: readonly string[],
  some: string,
  none: string,
): LearnedChoice {
  const evidence = refused.slice(0, 3).map(text => `${text} was rejected`)
  if (refused.length > 0) return { choice, value: some, evidence: evidence }
  return { choice, value: none, evidence: ['nothing was rejected'] }
}
