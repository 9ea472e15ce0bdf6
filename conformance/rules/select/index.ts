import type { Rule, Watch } from '../../rule/rule.js'
import { declaredTypes } from './declared-types.js'
import { defaultProjection } from './default-projection.js'
import { selectIndependent } from './independent.js'
import { selectItem } from './item.js'
import { sameValues } from './same-values.js'
import { unselectedAbsent } from './unselected-absent.js'
import { selectValues } from './values.js'

export const selectRules: readonly (Rule | Watch)[] = [
  selectValues,
  selectIndependent,
  selectItem,
  unselectedAbsent,
  sameValues,
  declaredTypes,
  defaultProjection,
]
