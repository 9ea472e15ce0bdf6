import type { Rule, Watch } from '../../rule/rule.js'
import { searchAnd } from './search-and.js'
import { searchFilter } from './search-filter.js'
import { searchNot } from './search-not.js'
import { searchOr } from './search-or.js'
import { searchTerm } from './search-term.js'

export const searchRules: readonly (Rule | Watch)[] = [searchTerm, searchOr, searchAnd, searchNot, searchFilter]
