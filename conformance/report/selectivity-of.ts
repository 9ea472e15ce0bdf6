import type { Selectivity } from './report.js'

/** The least, the middle and the largest of some shares; absent when there are none. */
export function selectivityOf(shares: readonly number[]): Selectivity | undefined {
  const sorted = shares.toSorted((a, b) => a - b)
  const least = sorted[0]
  const most = sorted.at(-1)
  const below = sorted[Math.floor((sorted.length - 1) / 2)]
  const above = sorted[Math.floor(sorted.length / 2)]
  if (least === undefined || most === undefined || below === undefined || above === undefined) return undefined
  return { least: rounded(least), median: rounded((below + above) / 2), most: rounded(most) }
}

function rounded(share: number): number {
  return Math.round(share * 10_000) / 10_000
}
