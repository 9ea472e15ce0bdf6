import type { Rule, Watch } from '../../rule/rule.js'

export const preferencesRules: readonly (Rule | Watch)[] = []
