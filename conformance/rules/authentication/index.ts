import type { Rule, Watch } from '../../rule/rule.js'
import { authenticationChallenge } from './authentication-challenge.js'
import { authenticationRequired } from './authentication-required.js'

export const authenticationRules: readonly (Rule | Watch)[] = [authenticationChallenge, authenticationRequired]
