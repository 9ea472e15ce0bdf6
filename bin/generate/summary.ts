import type { Counts } from '../../generator/plan/counts.js'
import { countOf } from '../count-of.js'

/** `14 files: 1 created, 2 updated, 11 unchanged (38 ms)`. */
export function summary(counts: readonly Counts[], milliseconds: number): string {
  const sum = (key: keyof Counts): number => counts.reduce((total, each) => total + each[key], 0)
  const parts = (['created', 'updated', 'deleted', 'unchanged'] as const)
    .map(key => ({ key, count: sum(key) }))
    .filter(({ count }) => count > 0)
    .map(({ key, count }) => `${count} ${key}`)
  return `${countOf(sum('files'), 'file')}: ${parts.join(', ') || 'none'} (${Math.round(milliseconds)} ms)`
}
