import type { Rule, Watch } from '../../rule/rule.js'

export const writingRules: readonly (Rule | Watch)[] = []
