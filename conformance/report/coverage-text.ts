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

/** Coverage as lines: endpoints by aspect and state, why some were not checked, and constraints by kind. */
export function coverageText({ aspects, endpoints, constraints }: Coverage): readonly string[] {
  if (aspects.length === 0) return []
  return [...endpointLines({ aspects, endpoints }), ...constraintLines(constraints)]
}

/** How many constraints of each kind were checked, and where the others are. */
function constraintLines(constraints: Coverage['constraints']): readonly string[] {
  if (constraints.length === 0) return []
  const rows = constraints.map(({ keyword, stated, checked, broken }) => [
    keyword,
    ...[stated, checked, broken].map(String),
  ])
  const open = constraints.filter(({ unchecked }) => unchecked.length > 0)
  return [
    '',
    ...alignNumbers([['Constraints', 'stated', 'checked', 'tried to break'], ...rows]),
    ...(open.length === 0 ? [] : ['', 'Constraints that were not checked:']),
    ...open.map(({ keyword, unchecked }) => `  ${keyword}: ${named(unchecked)}`),
  ]
}

function endpointLines({ aspects, endpoints }: Pick<Coverage, 'aspects' | 'endpoints'>): readonly string[] {
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

/** The first names, and how many more there are. */
export function named(names: readonly string[], most = maxNamed): string {
  const more = names.length - most
  return more > 0 ? `${names.slice(0, most).join(', ')} and ${more} more` : names.join(', ')
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

/** Whether each endpoint and each aspect that could be checked was checked somewhere, or refused. */
export function isCovered({ endpoints, aspects }: Coverage): boolean {
  return [...endpoints, ...aspects].filter(isApplicable).every(isAnswered)
}

/** What was checked, in sentences: `All 62 endpoints and all 14 aspects were checked, at 398 of 410 places.` */
export function coverageSentence(coverage: Coverage, allowWrites: boolean): string {
  const endpoints = coverage.endpoints.filter(isApplicable)
  const aspects = coverage.aspects.filter(isApplicable)
  const { applicable, answered } = coverage.places
  const checked = `${share(endpoints, 'endpoint')} and ${share(aspects, 'aspect')} were checked`
  const places = `at ${answered.toLocaleString('en')} of ${applicable.toLocaleString('en')} places (${coverage.percent} %)`
  const withheld = coverage.endpoints.filter(({ state }) => state === 'not-allowed').length
  return `${sentenceCase(checked)}, ${places}.${withheld === 0 ? '' : withheldSentence(withheld, allowWrites)}`
}

function withheldSentence(endpoints: number, allowWrites: boolean): string {
  if (!allowWrites) return ' Writes were not allowed, so they were not checked.'
  const those = `${endpoints.toLocaleString('en')} ${endpoints === 1 ? 'endpoint that writes was' : 'endpoints that write were'}`
  return ` ${those} not checked, because the suite changes only items that it created (see --allow-changes and --allow-leftovers).`
}

function share(items: readonly Parameters<typeof isAnswered>[0][], noun: string): string {
  const answered = items.filter(isAnswered).length
  const total = `${items.length.toLocaleString('en')} ${noun}${items.length === 1 ? '' : 's'}`
  if (answered === items.length) return items.length === 1 ? `the ${total}` : `all ${total}`
  return `${answered.toLocaleString('en')} of ${total}`
}

function sentenceCase(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
