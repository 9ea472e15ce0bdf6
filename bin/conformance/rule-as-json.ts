import type { RuleFacts } from '../../conformance/index.js'

/** What `--list-rules --json` and `--explain --json` tell of a rule; `asks`: it sends requests of its own. */
export function ruleAsJson(rule: RuleFacts & { readonly kind: string; readonly writes?: boolean }): object {
  const { id, area, severity, statement, advice, clauses, covers } = rule
  const isAsking = rule.kind === 'asking'
  return { id, area, severity, statement, advice, asks: isAsking, writes: rule.writes === true, clauses, covers }
}
