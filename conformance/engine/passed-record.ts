import type { Area } from '../rule/rule.js'

/** The constructs of cases that passed and told something apart, area by area. */
export interface PassedRecord {
  readonly add: (area: Area, constructs: readonly string[]) => void
  readonly of: (area: Area) => readonly ReadonlySet<string>[]
}

export function passedRecord(): PassedRecord {
  const byArea = new Map<Area, Map<string, ReadonlySet<string>>>()
  return {
    add: (area, constructs) => {
      const known = byArea.get(area) ?? new Map<string, ReadonlySet<string>>()
      byArea.set(area, known)
      const set = new Set(constructs.filter(construct => !construct.includes(':')))
      known.set([...set].sort().join(' '), set)
    },
    of: area => [...(byArea.get(area)?.values() ?? [])],
  }
}
