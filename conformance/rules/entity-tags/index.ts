import type { Rule, Watch } from '../../rule/rule.js'

export const entityTagsRules: readonly (Rule | Watch)[] = []
