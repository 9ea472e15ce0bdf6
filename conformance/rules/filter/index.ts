import type { Rule, Watch } from '../../rule/rule.js'

export const filterRules: readonly (Rule | Watch)[] = []
