import type { Calibrator } from '../calibrator.js'
import { lessonOf, type Sign } from './lessons.js'
import { orderProbes } from './order-probe.js'

/** C15: whether items that the order does not tell apart come in the order of their keys. */
export const tieOrder: Calibrator = {
  choice: 'tieOrder',
  after: ['nullOrder'],
  learn: async session => {
    const probes = await orderProbes(session, 'asc', ({ leaf, nulls, tied, distinct }) => {
      if (nulls < 2 && tied < 2) return 0
      return (nulls > 0 ? 2 : 0) + (leaf.typeName === 'Edm.String' ? 2 : 1) + Math.min(distinct, 20) / 100
    })
    const signs = probes.flatMap(({ site, leaf, values, keys }) =>
      values.slice(1).flatMap((value, index): readonly Sign[] => {
        const [before, after] = [keys[index], keys[index + 1]]
        if (value !== values[index] || before === undefined || after === undefined) return []
        return [{ value: before < after ? 'key' : 'any', witness: `${site.id} in the order of ${leaf.path.join('/')}` }]
      }),
    )
    const other = signs.filter(sign => sign.value === 'any')
    return lessonOf(other.length > 0 ? other : signs, 'no items that an order does not tell apart')
  },
}
