import { type Coverage, isAnswered, isApplicable } from '../coverage/coverage-table.js'

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
  return ` ${those} not checked, because the suite changes only items that it created.`
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
