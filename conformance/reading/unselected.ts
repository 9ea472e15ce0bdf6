import type { EntityType } from '../../spec/language/index.js'
import type { Row } from '../json.js'
import type { Session } from '../session/session.js'
import { openTo } from './choice-of.js'
import { declaredProperties } from './declared-properties.js'

/**
 * The declared properties that a row shows though `$select` leaves them out. Null stands for absent where that is legal,
 * and the key may be shown where that is; annotations and what is not declared belong to nobody's selection.
 *
 * @param selected the first names of the paths selected
 */
export function unselectedIn(
  row: Row,
  selected: ReadonlySet<string>,
  type: EntityType,
  session: Pick<Session, 'service' | 'choices'>,
): readonly string[] {
  if (selected.has('*')) return []
  const mayBeNull = openTo(session, 'unselected', 'absent').may('null')
  const mayShowKey = openTo(session, 'unselectedKey', 'returned').may('returned')
  const { properties } = declaredProperties(type, session.service)
  const keys = new Set(type.key.map(({ name }) => name))
  return Object.keys(row).filter(name => {
    if (selected.has(name) || (mayShowKey && keys.has(name))) return false
    if (row[name] === undefined || (row[name] === null && mayBeNull)) return false
    const property = properties.get(name)
    return property !== undefined && property.returned !== 'always'
  })
}
