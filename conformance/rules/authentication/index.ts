import type { Rule, Watch } from '../../rule/rule.js'
import { authenticationRequired } from './authentication-required.js'

export const authenticationRules: readonly (Rule | Watch)[] = [authenticationRequired]
