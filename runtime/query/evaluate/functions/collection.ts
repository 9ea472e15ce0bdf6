import { areEqual } from '../compare.js'
import type { Present, Value } from '../value.js'
import { type CanonicalFunction, misfit } from './function.js'

/** @see OData 4.01 URL Conventions, 5.1.1.6 */
export const collectionFunctions: Readonly<Record<string, CanonicalFunction>> = {
  hassubset: ([whole, part], types) => {
    const left = [...itemsNeeded('hassubset', whole)]
    return itemsNeeded('hassubset', part).every(wanted => {
      const index = left.findIndex(item => areEqual(item, wanted, types))
      if (index === -1) return false
      left.splice(index, 1)
      return true
    })
  },
  hassubsequence: ([whole, part], types) => {
    const items = itemsNeeded('hassubsequence', whole)
    let next = 0
    return itemsNeeded('hassubsequence', part).every(wanted => {
      while (next < items.length && !areEqual(items[next] ?? null, wanted, types)) next += 1
      next += 1
      return next <= items.length
    })
  },
}

function itemsNeeded(name: string, value: Present | undefined): readonly Value[] {
  const isCollection = value !== undefined && typeof value !== 'boolean' && value.kind === 'collection'
  return isCollection ? value.items : misfit(name, value, 'two collections')
}
