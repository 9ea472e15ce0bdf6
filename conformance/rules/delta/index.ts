import type { Rule, Watch } from '../../rule/rule.js'

export const deltaRules: readonly (Rule | Watch)[] = []
