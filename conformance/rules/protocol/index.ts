import type { Rule, Watch } from '../../rule/rule.js'

export const protocolRules: readonly (Rule | Watch)[] = []
