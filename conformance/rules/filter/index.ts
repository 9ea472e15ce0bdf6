import type { Rule, Watch } from '../../rule/rule.js'
import { filterModel } from './filter-model.js'

export const filterRules: readonly (Rule | Watch)[] = [filterModel]
