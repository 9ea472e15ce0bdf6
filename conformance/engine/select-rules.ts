import { suggest } from '../../spec/language/index.js'
import { type ConformanceOptions, OptionsError } from '../options.js'
import type { Rule, RuleMetadata } from '../rule/rule.js'

/**
 * Selects rules by id or area.
 *
 * @throws {OptionsError} if a pattern matches no rule, or no rule is left
 */
export function selectRules(
  rules: readonly Rule[],
  { only, skip }: Pick<ConformanceOptions, 'only' | 'skip'>,
): readonly Rule[] {
  const fits = (pattern: string, { id, area }: RuleMetadata): boolean =>
    matchesWildcard(pattern, id) || matchesWildcard(pattern, area)
  for (const pattern of [...(only ?? []), ...(skip ?? [])]) {
    if (rules.some(rule => fits(pattern, rule))) continue
    const meant = suggest(
      pattern,
      rules.flatMap(({ id, area }) => [id, area]),
    )
    const hint =
      meant === undefined ? 'Run specwright conformance --list-rules to see all.' : `Did you mean "${meant}"?`
    throw new OptionsError(`No rule or area matches "${pattern}". ${hint}`)
  }
  const selected = rules.filter(
    rule =>
      (only === undefined || only.some(pattern => fits(pattern, rule))) && !skip?.some(pattern => fits(pattern, rule)),
  )
  if (selected.length === 0) throw new OptionsError('No rules are left: all selected ones are skipped.')
  return selected
}

/** Whether a text matches a pattern in which `*` stands for any text. */
export function matchesWildcard(pattern: string, text: string): boolean {
  const [first = '', ...rest] = pattern.split('*')
  if (rest.length === 0) return text === pattern
  if (!text.startsWith(first)) return false
  let at = first.length
  const last = rest.pop() ?? ''
  for (const part of rest) {
    const found = text.indexOf(part, at)
    if (found < 0) return false
    at = found + part.length
  }
  return text.length - last.length >= at && text.endsWith(last)
}
