import type { Calibrator } from '../calibrator.js'
import { countOnLaterPages } from './count-on-later-pages.js'
import { countPathWithoutHeader } from './count-path-without-header.js'
import { countWithoutHeader } from './count-without-header.js'
import { defaultOrder } from './default-order.js'
import { defaultPageSize } from './default-page-size.js'
import { defaultProjection } from './default-projection.js'
import { emptyRelation } from './empty-relation.js'
import { expandDepth } from './expand-depth.js'
import { expandedItems } from './expanded-items.js'
import { nextLinkForm } from './next-link-form.js'
import { nullOrder } from './null-order.js'
import { shortPages } from './short-pages.js'
import { stringOrder } from './string-order.js'
import { tieOrder } from './tie-order.js'
import { topAboveMaximum } from './top-above-maximum.js'
import { topMeaning } from './top-meaning.js'
import { topZero } from './top-zero.js'
import { unselected, unselectedKey } from './unselected.js'

export const readingCalibrators: readonly Calibrator[] = [
  topMeaning,
  shortPages,
  nextLinkForm,
  countOnLaterPages,
  unselected,
  unselectedKey,
  defaultPageSize,
  defaultProjection,
  defaultOrder,
  stringOrder,
  nullOrder,
  tieOrder,
  emptyRelation,
  expandedItems,
  topZero,
  topAboveMaximum,
  countWithoutHeader,
  countPathWithoutHeader,
  expandDepth,
]
