import type { Row } from '../../json.js'
import type { Session } from '../../session/session.js'
import type { Calibrator } from '../calibrator.js'
import { lessonOf, type Sign } from './lessons.js'
import { type SelectedProbe, selectedProbes } from './paged-probe.js'

/** C7: what is left of a property that was not selected. */
export const unselected: Calibrator = {
  choice: 'unselected',
  learn: async session => {
    const signs = await selectedRows(session, (row, { site, name: selected }): readonly Sign[] => {
      const keys = site.type.key.map(({ name }) => name)
      const others = site.type.properties.filter(
        ({ name, returned }) => returned === 'byDefault' && !keys.includes(name) && name !== selected,
      )
      if (others.length === 0) return []
      const shown = others.filter(({ name }) => Object.hasOwn(row, name))
      if (shown.length === 0) return [{ value: 'absent', witness: `an item of ${site.id} shows ${selected} only` }]
      const isNull = shown.every(({ name }) => row[name] === null)
      return isNull ? [{ value: 'null', witness: `an item of ${site.id} has ${shown[0]?.name}: null` }] : []
    })
    return lessonOf(signs, 'no list was answered with $select')
  },
}

/** C8: whether the key comes all the same. */
export const unselectedKey: Calibrator = {
  choice: 'unselectedKey',
  learn: async session => {
    const signs = await selectedRows(session, (row, { site }): readonly Sign[] => {
      const isShown = site.type.key.some(({ name }) => row[name] !== undefined && row[name] !== null)
      const witness = `an item of ${site.id} shows ${isShown ? 'its' : 'no'} key, which was not selected`
      return [{ value: isShown ? 'returned' : 'absent', witness }]
    })
    return lessonOf(signs, 'no list was answered with $select')
  },
}

async function selectedRows(
  session: Session,
  signsOf: (row: Row, probe: SelectedProbe) => readonly Sign[],
): Promise<readonly Sign[]> {
  const probes = await selectedProbes(session)
  return probes.flatMap(each => each.listing.rows.slice(0, 2).flatMap(row => signsOf(row, each)))
}
