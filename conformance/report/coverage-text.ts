import { type CellState, type Coverage, cellStates, isAnswered, isApplicable } from '../coverage/coverage-table.js'

const headings: Readonly<Record<CellState, string>> = {
  checked: 'checked',
  refused: 'refused',
  inconclusive: 'inconclusive',
  'not-reached': 'not reached',
  'not-allowed': 'not allowed',
  'not-selected': 'not selected',
}

/** Endpoints that a text names per reason. */
const maxNamed = 3

/** Coverage as lines: the number of endpoints by aspect and state, and why some were not checked. */
export function coverageText({ aspects, endpoints }: Coverage): readonly string[] {
  if (aspects.length === 0) return []
  const shown = cellStates.filter(state => state === 'checked' || aspects.some(aspect => aspect.endpoints[state] > 0))
  const rows = aspects.map(({ aspect, endpoints: counts }) => [aspect, ...shown.map(state => String(counts[state]))])
  const lines = alignNumbers([['Endpoints by aspect', ...shown.map(state => headings[state])], ...rows])
  const unchecked = endpoints.filter(each => isApplicable(each) && !isAnswered(each))
  if (unchecked.length === 0) return lines
  const byReason = new Map<string, string[]>()
  for (const { endpoint, state, why } of unchecked) {
    const reason = why ?? headings[state]
    byReason.set(reason, [...(byReason.get(reason) ?? []), endpoint])
  }
  const reasons = [...byReason].sort(([, a], [, b]) => b.length - a.length)
  return [
    ...lines,
    '',
    'Endpoints that were not checked:',
    ...reasons.map(([why, names]) => `  ${named(names)}: ${why}`),
  ]
}

function named(names: readonly string[]): string {
  const more = names.length - maxNamed
  return more > 0 ? `${names.slice(0, maxNamed).join(', ')} and ${more} more` : names.join(', ')
}

/** The first column is left-aligned, the others are right-aligned. */
function alignNumbers(rows: readonly (readonly string[])[]): readonly string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map(row => row[column]?.length ?? 0)))
  return rows.map(row =>
    row
      .map((cell, column) => (column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0)))
      .join('  '),
  )
}
