import type { Rule, Watch } from '../../rule/rule.js'

export const topSkipCountRules: readonly (Rule | Watch)[] = []
