import { isRefusal } from '../../rule/refusal.js'
import type { Calibrator } from '../calibrator.js'
import { lessonOf, type Sign } from './lessons.js'

/** The count read by itself, where the spec leaves open whether it needs the header. */
export const countPathWithoutHeader: Calibrator = {
  choice: 'countPathWithoutHeader',
  neededBy: ['header-required'],
  learn: async session => {
    const signs: Sign[] = []
    for (const site of session.sites) {
      const { endpoint } = site
      if (endpoint.kind !== 'count') continue
      if (!endpoint.query?.requires.some(({ open }) => open?.name === 'countPathWithoutHeader')) continue
      const answer = await session.ask({ method: 'GET', path: site.path })
      const text = `${site.id} without the header`
      if (isRefusal(answer, session)) signs.push({ value: 'rejected', witness: `${text} is refused` })
      else if (answer.status === 200) signs.push({ value: 'answered', witness: `${text} is answered` })
      if (signs.length > 0) break
    }
    return lessonOf(signs, 'no count path')
  },
}
