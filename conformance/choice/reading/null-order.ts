import type { Session } from '../../session/session.js'
import type { Calibrator } from '../calibrator.js'
import { lessonOf, type Sign } from './lessons.js'
import { type OrderProbe, orderProbes } from './order-probe.js'

/** C14: at which end null stands, in both directions. */
export const nullOrder: Calibrator = {
  choice: 'nullOrder',
  after: ['stringOrder'],
  learn: async session => {
    const ascending = await probesIn(session, 'asc')
    const descending = await probesIn(session, 'desc')
    const signs = ascending.flatMap((up, index): readonly Sign[] => {
      const down = descending[index]
      const [first, last] = [endOf(up), down === undefined ? undefined : endOf(down)]
      if (first === undefined || last === undefined || down?.site !== up.site) return []
      const value = first === last ? first : first === 'first' ? 'lowest' : 'highest'
      const path = up.leaf.path.join('/')
      return [{ value, witness: `${up.site.id} in the order of ${path} has null ${first}, descending ${last}` }]
    })
    return lessonOf(signs, 'no list in an order in which some items have no value')
  },
}

/** Texts first: their order may have been asked for before. */
function probesIn(session: Session, direction: 'asc' | 'desc'): Promise<readonly OrderProbe[]> {
  return orderProbes(session, direction, ({ leaf, nulls, distinct }) => {
    if (nulls === 0) return 0
    return (leaf.typeName === 'Edm.String' ? 2 : 1) + Math.min(distinct, 20) / 100
  })
}

/** Where the nulls of a list are, all together. */
function endOf({ values }: OrderProbe): 'first' | 'last' | undefined {
  const nulls = values.filter(value => value === null).length
  if (nulls === 0 || nulls === values.length) return undefined
  if (values.slice(0, nulls).every(value => value === null)) return 'first'
  return values.slice(-nulls).every(value => value === null) ? 'last' : undefined
}
