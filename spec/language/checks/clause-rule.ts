import type { Check } from './check.js'

/** A rule of the conformance suite tests each clause, or the clause leaves a choice under `open`. */
export const clauseRule: Check = ({ service, report, testedClauses: ruledClauses, isIncomplete }) => {
  if (ruledClauses === undefined) return
  for (const { id, open, location } of service.clauses) {
    if (open !== undefined || ruledClauses.has(id) || isIncomplete(`${location.pointer}/open`)) continue
    const message = `No conformance rule tests the clause "${id}", and it leaves nothing open. Write a rule, or name a choice under \`open\`.`
    report({ code: 'spec/clause-without-rule', message, at: location.pointer, on: 'key' })
  }
}
