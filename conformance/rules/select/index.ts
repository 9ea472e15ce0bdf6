import type { Rule, Watch } from '../../rule/rule.js'

export const selectRules: readonly (Rule | Watch)[] = []
