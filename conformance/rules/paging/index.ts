import type { Rule, Watch } from '../../rule/rule.js'

export const pagingRules: readonly (Rule | Watch)[] = []
