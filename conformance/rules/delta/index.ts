import type { Rule, Watch } from '../../rule/rule.js'
import { deltaChanges } from './delta-changes.js'
import { deltaInitial } from './delta-initial.js'
import { deltaLinks } from './delta-links.js'
import { deltaToken } from './delta-token.js'

export const deltaRules: readonly (Rule | Watch)[] = [deltaLinks, deltaInitial, deltaToken, deltaChanges]
