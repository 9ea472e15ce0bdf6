import type { Check } from './check.js'

/** A clause is held by a rule of the judge, or leaves a choice under `open`. */
export const clauseRule: Check = ({ service, report, testedClauses: ruledClauses, isIncomplete }) => {
  if (ruledClauses === undefined) return
  for (const { id, open, location } of service.clauses) {
    if (open !== undefined || ruledClauses.has(id) || isIncomplete(`${location.pointer}/open`)) continue
    const message = `No rule of the judge holds the clause "${id}", and it leaves nothing open. Write a rule, or name a choice under \`open\`.`
    report({ code: 'spec/clause-without-rule', message, at: location.pointer, on: 'key' })
  }
}
