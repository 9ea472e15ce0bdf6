import type { Rule, Watch } from '../../rule/rule.js'
import { expandOnly } from './expand-only.js'
import { expandItem } from './item.js'
import { expandNested } from './nested.js'
import { expandSame } from './same.js'

export const expandRules: readonly (Rule | Watch)[] = [expandSame, expandNested, expandItem, expandOnly]
