import type { Rule, Watch } from '../rule/rule.js'
import { advancedQueriesRules } from './advanced-queries/index.js'
import { authenticationRules } from './authentication/index.js'
import { deltaRules } from './delta/index.js'
import { entityTagsRules } from './entity-tags/index.js'
import { errorsRules } from './errors/index.js'
import { expandRules } from './expand/index.js'
import { filterRules } from './filter/index.js'
import { itemsRules } from './items/index.js'
import { operationsRules } from './operations/index.js'
import { orderingRules } from './ordering/index.js'
import { pagingRules } from './paging/index.js'
import { preferencesRules } from './preferences/index.js'
import { protocolRules } from './protocol/index.js'
import { searchRules } from './search/index.js'
import { selectRules } from './select/index.js'
import { topSkipCountRules } from './top-skip-count/index.js'
import { writingRules } from './writing/index.js'

/** Every rule of the judge, area by area. */
export const rules: readonly (Rule | Watch)[] = [
  ...authenticationRules,
  ...errorsRules,
  ...filterRules,
  ...orderingRules,
  ...pagingRules,
  ...topSkipCountRules,
  ...selectRules,
  ...expandRules,
  ...searchRules,
  ...advancedQueriesRules,
  ...itemsRules,
  ...writingRules,
  ...entityTagsRules,
  ...preferencesRules,
  ...operationsRules,
  ...deltaRules,
  ...protocolRules,
]
