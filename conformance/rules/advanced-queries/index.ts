import type { Rule, Watch } from '../../rule/rule.js'

export const advancedQueriesRules: readonly (Rule | Watch)[] = []
