import type { RuleMetadata } from '../../conformance/index.js'
import { wrapText } from '../../spec/language/index.js'
import { UsageError } from '../output.js'

/** Columns that a sentence needs beside its rule; with fewer, the sentence goes below. */
const minStatementWidth = 30

/** All rules, area by area: one line each, or in as many columns as there are. */
export function listRules(rules: readonly RuleMetadata[], columns = Number.POSITIVE_INFINITY): string {
  const width = Math.max(...rules.map(({ id }) => id.length))
  const areas = [...new Set(rules.map(({ area }) => area))]
  return areas
    .map(area => {
      const lines = rules
        .filter(rule => rule.area === area)
        .flatMap(({ id, severity, statement }) => {
          const beside = columns - width - 12
          if (beside < minStatementWidth)
            return [`  ${id}  ${severity}`, ...wrapText(statement, columns - 4).map(line => `    ${line}`)]
          const [first = '', ...more] = wrapText(statement, beside)
          const indent = ' '.repeat(width + 12)
          return [`  ${id.padEnd(width)}  ${severity.padEnd(6)}  ${first}`, ...more.map(line => indent + line)]
        })
      return [area, ...lines].join('\n')
    })
    .join('\n\n')
}

/** A rule by its name. @throws {UsageError} when there is no such rule */
export function findRule<Known extends RuleMetadata>(
  id: string,
  rules: readonly Known[],
  near: (name: string, names: readonly string[]) => string | undefined,
): Known {
  const rule = rules.find(each => each.id === id)
  if (rule !== undefined) return rule
  const close = near(
    id,
    rules.map(each => each.id),
  )
  const hint = close === undefined ? '--list-rules prints all of them.' : `Did you mean ${close}?`
  throw new UsageError(`There is no rule "${id}". ${hint}`)
}

/** What a rule checks, why, and how to fix a violation. */
export function explainRule(
  rule: RuleMetadata & { readonly kind: string; readonly writes?: boolean; readonly changesExisting?: boolean },
): string {
  const how =
    rule.kind === 'passive'
      ? 'It looks at every answer that other rules get.'
      : rule.changesExisting === true
        ? 'It changes items that exist and sets their old values again. It needs --allow-writes and --allow-changes.'
        : rule.writes === true
          ? 'It creates items of its own, and needs --allow-writes.'
          : 'It only reads.'
  return [
    `${rule.id} (${rule.area}, ${rule.severity})`,
    '',
    rule.statement,
    '',
    rule.advice,
    '',
    how,
    ...(rule.aspects.length === 0 ? [] : [`Aspects: ${rule.aspects.join(', ')}`]),
    ...(rule.covers.length === 0 ? [] : [`Covers: ${rule.covers.join(', ')}`]),
  ].join('\n')
}

/** A rule as `--list-rules --json` and `--explain --json` print it. `asks`: it sends its own requests. */
export function ruleToJson(rule: RuleMetadata & { readonly kind: string; readonly writes?: boolean }): object {
  const { id, area, severity, statement, advice, aspects, covers } = rule
  const isAsking = rule.kind === 'active'
  return { id, area, severity, statement, advice, asks: isAsking, writes: rule.writes === true, aspects, covers }
}
