import type { Rule, Watch } from '../../rule/rule.js'
import { ifMatch } from './if-match.js'
import { ifNoneMatch } from './if-none-match.js'
import { tagAgrees } from './tag-agrees.js'
import { tagOfList } from './tag-of-list.js'

export const entityTagsRules: readonly (Rule | Watch)[] = [tagAgrees, ifNoneMatch, tagOfList, ifMatch]
