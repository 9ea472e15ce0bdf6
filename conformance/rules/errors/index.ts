import type { Rule, Watch } from '../../rule/rule.js'

export const errorsRules: readonly (Rule | Watch)[] = []
