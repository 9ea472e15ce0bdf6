import type { Rule, Watch } from '../../rule/rule.js'
import { preferenceHonoured } from './preference-honoured.js'

export const preferencesRules: readonly (Rule | Watch)[] = [preferenceHonoured]
