import type { ExpandItem } from '../../../runtime/query/index.js'
import { relationsOf } from '../../reading/relations-of.js'
import { readAsk } from '../../rule/read-ask.js'
import { isRefusal } from '../../rule/refusal.js'
import type { Calibrator } from '../calibrator.js'
import { lessonOf, type Sign } from './lessons.js'
import { witnessSites } from './witness-sites.js'

/** C24, its depth: one level more than declared. */
export const expandDepth: Calibrator = {
  choice: 'expandDepth',
  neededBy: [],
  learn: async session => {
    const signs: Sign[] = []
    for (const site of witnessSites(session, ({ expand }) => expand.support !== 'none', 1)) {
      const relation = relationsOf(site).find(({ type }) => type.navigation.length > 0)
      const inner = relation?.type.navigation[0]
      if (relation === undefined || inner === undefined) continue
      const { maxDepth } = site.endpoint.query.expand
      if (maxDepth > 1) continue
      const item: ExpandItem = { path: [relation.name], options: { expand: [{ path: [inner.name] }] } }
      const answer = await session.ask(readAsk(site, { expand: [item] }))
      const text = `${site.id} with $expand=${relation.name}($expand=${inner.name})`
      if (isRefusal(answer, session)) signs.push({ value: 'declared', witness: `${text} is refused` })
      else if (answer.status === 200) signs.push({ value: 'deeper', witness: `${text} is answered` })
      if (signs.length > 0) break
    }
    return lessonOf(signs, 'no relation that leads on to another one')
  },
}
