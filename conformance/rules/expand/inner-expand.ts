import type { ExpandItem } from '../../../runtime/query/index.js'
import type { NavigationProperty } from '../../../spec/language/index.js'
import { keysShown } from '../../reading/keys-shown.js'
import { relatedRows } from '../../reading/related-rows.js'
import { keyOf } from '../../site/key-of.js'
import type { NestedVariant } from './nested-variant.js'
import { relatedFault } from './related-fault.js'

/** One relation inside another one: the partner, which leads back to where it came from, if there is one. */
export const innerExpand: NestedVariant = ({ relation, whole, type, session }) => {
  const { partner } = relation
  const isBack = partner !== undefined && relation.type.navigation.includes(partner)
  const inner: NavigationProperty | undefined = isBack ? partner : relation.type.navigation[0]
  if (inner === undefined || ![...whole.values()].some(each => each.length > 0)) return undefined
  const item: ExpandItem = { path: [inner.name] }
  return {
    options: { expand: [item] },
    faultOf: (row, related) => {
      for (const each of related) {
        const fault = relatedFault(each, item, inner, relation.type, relation, session)
        if (fault !== undefined) return { ...fault, feature: 'expand.expand' }
        const back = relatedRows(each, inner)
        const key = keyOf(row, type)
        const keys = keysShown(back ?? [], inner.type)
        const isCut = Object.hasOwn(each, `${inner.name}@odata.nextLink`)
        if (!isBack || key === undefined || keys === undefined || isCut || keys.includes(key)) continue
        return {
          message: `${inner.name} inside $expand=${relation.name} does not lead back.`,
          expected: `${key} among the items under ${inner.name}`,
          received: `${keys.length} items: ${keys.slice(0, 5).join(', ')}`,
          feature: 'expand.expand',
        }
      }
      return undefined
    },
  }
}
