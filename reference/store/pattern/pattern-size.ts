import type { PatternNode } from '../../../runtime/query/evaluate/pattern/syntax.js'
import { atomSet } from './atom-set.js'

/** What makes a pattern expensive for an engine that builds an automaton of it; repeated parts count as often. */
export interface PatternSize {
  /** Characters and classes. */
  readonly atoms: number
  /** Different ones. */
  readonly distinct: number
  /** Ranges of characters, as they are written. */
  readonly ranges: number
  /** Parts that may be passed over. */
  readonly skips: number
  readonly assertions: number
  /** Assertions that are repeated. */
  readonly loopedAssertions: number
}

/** Copies that stand behind one another in what is written of a repetition. */
const copiesWritten = 255

/** Measures a pattern without writing out what it repeats. */
export function patternSize(node: PatternNode): PatternSize {
  const sources = new Set<string>()
  const size = { atoms: 0, ranges: 0, skips: 0, assertions: 0, loopedAssertions: 0 }
  const visit = (part: PatternNode, times: number, isLooped: boolean): boolean => {
    switch (part.kind) {
      case 'atom':
        sources.add(part.source)
        size.atoms += times
        size.ranges += atomSet(part.source).length * Math.ceil(times / copiesWritten)
        return false
      case 'assertion':
        size.assertions += times
        if (isLooped) size.loopedAssertions += times
        return true
      case 'sequence':
        return part.nodes.map(each => visit(each, times, isLooped)).every(isEmpty => isEmpty)
      case 'alternatives': {
        const isEmpty = part.nodes.map(each => visit(each, times, isLooped)).includes(true)
        if (isEmpty && part.nodes.length > 1) size.skips += times
        return isEmpty
      }
      case 'repeat': {
        const isEndless = part.most === Number.POSITIVE_INFINITY
        const isEmpty = visit(part.node, times * (isEndless ? part.least + 1 : part.most), isLooped || part.most > 1)
        // Engines pass over the rest of optional copies at once, unless each may be empty by itself.
        size.skips += times * (isEmpty && !isEndless ? part.most - part.least : 1)
        return isEmpty || part.least === 0
      }
    }
  }
  visit(node, 1, false)
  return { ...size, distinct: sources.size }
}
