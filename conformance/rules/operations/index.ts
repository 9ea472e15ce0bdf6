import type { Rule, Watch } from '../../rule/rule.js'

export const operationsRules: readonly (Rule | Watch)[] = []
