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
  const withheld = coverage.endpoints.some(({ state }) => state === 'not-allowed')
  const writes = withheld && !allowWrites ? ' Writes were not allowed, so they were not checked.' : ''
  return `${sentenceCase(checked)}, ${places}.${writes}`
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
