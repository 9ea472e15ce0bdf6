import type { Rule, Watch } from '../../rule/rule.js'

export const authenticationRules: readonly (Rule | Watch)[] = []
