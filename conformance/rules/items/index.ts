import type { Rule, Watch } from '../../rule/rule.js'

export const itemsRules: readonly (Rule | Watch)[] = []
