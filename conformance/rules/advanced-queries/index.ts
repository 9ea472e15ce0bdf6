import type { Rule, Watch } from '../../rule/rule.js'
import { headerRequired } from './header-required.js'
import { headerSuffices } from './header-suffices.js'
import { plainNeedsNone } from './plain-needs-none.js'

export const advancedQueriesRules: readonly (Rule | Watch)[] = [headerRequired, headerSuffices, plainNeedsNone]
