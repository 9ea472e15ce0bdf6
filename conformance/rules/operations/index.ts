import type { Rule, Watch } from '../../rule/rule.js'
import { operationMeaning } from './operation-meaning.js'
import { operationParameters } from './operation-parameters.js'
import { operationWindow } from './operation-window.js'

export const operationsRules: readonly (Rule | Watch)[] = [operationMeaning, operationWindow, operationParameters]
