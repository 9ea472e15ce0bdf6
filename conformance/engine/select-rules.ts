import { suggest } from '../../spec/language/index.js'
import type { ConformanceOptions } from '../options.js'
import { OptionsError } from '../options-error.js'
import type { Rule, RuleFacts, Watch } from '../rule/rule.js'
import { matches } from './matches.js'

/**
 * The rules that were asked for, by id or area.
 *
 * @throws {OptionsError} when a pattern fits no rule, or no rule is left
 */
export function selectRules(
  rules: readonly (Rule | Watch)[],
  { only, skip }: Pick<ConformanceOptions, 'only' | 'skip'>,
): readonly (Rule | Watch)[] {
  const fits = (pattern: string, { id, area }: RuleFacts): boolean => matches(pattern, id) || matches(pattern, area)
  for (const pattern of [...(only ?? []), ...(skip ?? [])]) {
    if (rules.some(rule => fits(pattern, rule))) continue
    const meant = suggest(
      pattern,
      rules.flatMap(({ id, area }) => [id, area]),
    )
    const hint = meant === undefined ? 'specwright conformance --list-rules prints all.' : `Did you mean "${meant}"?`
    throw new OptionsError(`No rule and no area is named "${pattern}". ${hint}`)
  }
  const selected = rules.filter(
    rule =>
      (only === undefined || only.some(pattern => fits(pattern, rule))) && !skip?.some(pattern => fits(pattern, rule)),
  )
  if (selected.length === 0) throw new OptionsError('No rule is left to judge by: all that were chosen are skipped.')
  return selected
}
