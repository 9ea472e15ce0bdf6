import type { Rule, Watch } from '../../rule/rule.js'

export const searchRules: readonly (Rule | Watch)[] = []
