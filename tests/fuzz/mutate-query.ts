import type { Random } from './random.js'

const pieces = [
  "'",
  '%',
  '(',
  ')',
  ',',
  '&',
  '=',
  '$',
  '%00',
  '%27',
  '%2',
  '"',
  ' ',
  '+',
  '/',
  ':',
  '-',
  '.',
  '0',
  '9',
  'null',
  'eq',
  ' and ',
  '%F0%9F%98%80',
  '%CC%81',
] as const
const values = [
  'null',
  'true',
  '0',
  '-1',
  '1.5',
  '9223372036854775807',
  '-9223372036854775808',
  '99999999999999999999',
  '1e308',
  '0.1',
  'NaN',
  'INF',
  "''",
  "'%C3%9F'",
  "'%C4%B0'",
  "'%F0%9F%98%80%25_%5C'",
  '0001-01-01',
  '9999-12-31',
  '2024-02-29',
  '0001-01-01T00:00:00Z',
  '9999-12-31T23:59:59.999999999999Z',
  '2024-06-30T23:59:60Z',
  '2024-01-01T00:00:00+14:00',
  '24:00:00',
  '23:59:59.999999999999',
  "duration'P1D'",
  "duration'-PT0.000000000001S'",
  "duration'P99999999D'",
  '0b6a1d1e-7c55-4f0e-9d0a-000000000001',
  "'poetry'",
] as const

/** A literal in a query. */
const literal = /(?<=[ (,=])(?:'[^']*'|-?\d[\w.:+-]*|null|true|false)(?=[ ),&]|$)/g

/** A query with a few characters or values changed, removed, repeated or moved. */
export function mutateQuery(question: string, random: Random): string {
  let text = question
  for (let change = 0; change < 1 + random.below(3); change++) {
    const at = 1 + random.below(text.length)
    const [before, after] = [text.slice(0, at), text.slice(at)]
    switch (random.below(6)) {
      case 0:
        text = before + random.pick(pieces) + after
        break
      case 1:
        text = before + after.slice(1 + random.below(4))
        break
      case 2:
        text = before + after.slice(0, 1 + random.below(12)) + after
        break
      default: {
        const found = [...text.matchAll(literal)]
        const chosen = found[random.below(Math.max(found.length, 1))]
        if (chosen === undefined) break
        text = text.slice(0, chosen.index) + random.pick(values) + text.slice(chosen.index + chosen[0].length)
      }
    }
  }
  return text
}
