import type { Rule, Watch } from '../../rule/rule.js'
import { itemElsewhere } from './item-elsewhere.js'
import { itemOfList } from './item-of-list.js'
import { propertyNames } from './property-names.js'
import { relatedOnce } from './related-once.js'
import { singleRelation } from './single-relation.js'

export const itemsRules: readonly (Rule | Watch)[] = [
  itemOfList,
  itemElsewhere,
  singleRelation,
  relatedOnce,
  propertyNames,
]
