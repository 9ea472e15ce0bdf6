import type { LearnedChoice } from '../choices/choices.js'
import type { Support } from './session.js'

/** The record, with what the report needs of it. */
export interface SupportRecord extends Support {
  /** What is known now. Later records do not change it. */
  readonly snapshot: () => Support
  /** What an endpoint has rejected. */
  readonly rejectionsOf: (endpoint: string) => readonly string[]
  readonly all: () => Rejections
}

export function createSupportRecord(): SupportRecord {
  /** Each entry has the number of what was recorded before it. */
  const known = new Map<string, Map<string, number>>()
  const refused = new Map<string, { readonly constructs: ReadonlySet<string>; readonly number: number }[]>()
  const constructs = new Set<string>()
  const combinations = new Set<string>()
  let recorded = 0
  const knownAt = (id: string): Map<string, number> => {
    const found = known.get(id) ?? new Map<string, number>()
    known.set(id, found)
    return found
  }
  const knowledgeUntil = (last: () => number): Pick<Support, 'maySend' | 'isSupported'> => ({
    maySend: (site, constructs) => {
      const asked = new Set(constructs)
      const before = (refused.get(site.endpoint.name) ?? []).filter(({ number }) => number < last())
      return !before.some(entry => [...entry.constructs].every(construct => asked.has(construct)))
    },
    isSupported: (site, construct) => (known.get(site.endpoint.name)?.get(construct) ?? recorded) < last(),
  })
  const record: Pick<Support, 'recordAccepted' | 'recordRejected'> = {
    recordAccepted: (site, constructs) => {
      const all = knownAt(site.endpoint.name)
      for (const construct of constructs) if (!all.has(construct)) all.set(construct, recorded++)
    },
    recordRejected: (site, asked) => {
      const all = refused.get(site.endpoint.name) ?? []
      refused.set(site.endpoint.name, all)
      // A construct that was answered before is not the cause. If each one was, the combination is.
      const unknown = asked.filter(construct => !knownAt(site.endpoint.name).has(construct))
      all.push({ constructs: new Set(unknown.length > 0 ? unknown : asked), number: recorded++ })
      const record = unknown.length > 0 ? constructs : combinations
      record.add(`${site.endpoint.name}: ${(unknown.length > 0 ? unknown : asked).join(' + ')}`)
    },
  }
  return {
    ...record,
    ...knowledgeUntil(() => recorded),
    snapshot: () => {
      const now = recorded
      return { ...record, ...knowledgeUntil(() => now) }
    },
    all: () => ({ constructs: [...constructs], combinations: [...combinations] }),
    rejectionsOf: endpoint => {
      return [...new Set((refused.get(endpoint) ?? []).map(entry => [...entry.constructs].join(' + ')))]
    },
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
