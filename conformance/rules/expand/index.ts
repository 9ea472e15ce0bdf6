import type { Rule, Watch } from '../../rule/rule.js'

export const expandRules: readonly (Rule | Watch)[] = []
