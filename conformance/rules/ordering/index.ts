import type { Rule, Watch } from '../../rule/rule.js'

export const orderingRules: readonly (Rule | Watch)[] = []
