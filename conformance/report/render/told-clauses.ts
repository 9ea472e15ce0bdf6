import type { Violation } from '../report.js'

/** Of the sentences that a rule holds, those that name what a violation is about; else the first ones. */
export function toldClauses({ clauses, features }: Violation): Violation['clauses'] {
  const words = features.flatMap(feature => feature.split('.').slice(1)).map(word => word.toLowerCase())
  const naming = clauses.filter(({ quote }) => {
    const said = new Set(quote.toLowerCase().match(/\$?\w+/g) ?? [])
    return words.some(word => said.has(word))
  })
  return (naming.length > 0 ? naming : clauses).slice(0, 2)
}
