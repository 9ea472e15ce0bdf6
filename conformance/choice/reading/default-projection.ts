import type { Calibrator } from '../calibrator.js'
import { lessonOf, type Sign } from './lessons.js'
import { plainProbe } from './plain-probe.js'

/** C9: whether all properties come without being selected that come when they are. */
export const defaultProjection: Calibrator = {
  choice: 'defaultProjection',
  learn: async session => {
    const found = await plainProbe(session)
    const rows = found?.listing.rows ?? []
    const snapshot = found === undefined ? undefined : session.snapshot(found.site)
    if (found === undefined || snapshot === undefined || rows.length === 0) return lessonOf([], 'no list was read')
    const names = found.site.type.properties
      .filter(({ name, returned }) => returned !== 'onSelect' && snapshot.rows.some(row => Object.hasOwn(row, name)))
      .map(({ name }) => name)
    const lacking = names.find(name => !rows.some(row => Object.hasOwn(row, name)))
    const witness =
      lacking === undefined
        ? `${found.site.id} shows ${names.length} properties without $select`
        : `${found.site.id} shows ${lacking} only when it is selected`
    const signs: readonly Sign[] = [{ value: lacking === undefined ? 'all' : 'limited', witness }]
    return lessonOf(signs, '')
  },
}
