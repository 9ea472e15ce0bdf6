import type { Kill } from './try-mutant.js'

/** Requests at which the rate of mutants found is told. */
const budgets = [150, 500, 2000]

/** A table of mutants: how many of the seeds found each, by which rule, after how many requests. */
export function killTable(kills: readonly Kill[]): string {
  const byMutant = grouped(kills)
  const rows = [...byMutant].map(([name, all]) => {
    const found = all.filter(({ after }) => after !== undefined)
    const [first] = found
    return [
      name,
      all[0]?.area ?? '',
      `${found.length}/${all.length}`,
      String(median(found.flatMap(({ after }) => after ?? [])) ?? '-'),
      String(median(found.flatMap(({ size }) => size ?? [])) ?? '-'),
      first === undefined
        ? `not found (${all[0]?.verdict})`
        : [...new Set(found.map(({ rule }) => rule ?? ''))].join(', '),
    ]
  })
  return [lines([['mutant', 'area', 'found', 'requests', 'size', 'rules'], ...rows]), '', summary(kills)].join('\n')
}

function grouped(kills: readonly Kill[]): ReadonlyMap<string, readonly Kill[]> {
  const groups = new Map<string, Kill[]>()
  for (const kill of kills) groups.set(kill.mutant, [...(groups.get(kill.mutant) ?? []), kill])
  return groups
}

/** The rates that the whole comes to. */
export function summary(kills: readonly Kill[]): string {
  const share = (part: number): string => `${((100 * part) / Math.max(1, kills.length)).toFixed(1)} %`
  const found = kills.filter(({ after }) => after !== undefined)
  const rates = budgets.map(budget => {
    const within = found.filter(({ after = Number.POSITIVE_INFINITY }) => after <= budget)
    return `${share(within.length)} within ${budget}`
  })
  const located = found.filter(({ area, ruleArea }) => area === ruleArea).length
  const sizes = found.flatMap(({ size }) => size ?? [])
  return [
    `${new Set(kills.map(({ mutant }) => mutant)).size} mutants, ${new Set(kills.map(({ seed }) => seed)).size} seeds, ${kills.length} runs`,
    `found: ${rates.join(', ')} requests`,
    `first rule of the mutant's area: ${((100 * located) / Math.max(1, found.length)).toFixed(1)} %`,
    `median of requests: ${median(found.flatMap(({ after }) => after ?? [])) ?? '-'}; median size of the example: ${median(sizes) ?? '-'}`,
  ].join('\n')
}

function median(numbers: readonly number[]): number | undefined {
  return [...numbers].sort((a, b) => a - b)[Math.floor((numbers.length - 1) / 2)]
}

/** Cells below each other, each column as wide as its widest. */
export function lines(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map(row => row[column]?.length ?? 0)))
  return rows
    .map(row =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}
