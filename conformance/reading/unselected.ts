import type { EntityType, Service } from '../../spec/language/index.js'
import type { Row } from '../json.js'
import type { Session } from '../session/session.js'
import { openTo } from './choice-of.js'

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
  const keys = new Set(type.key.map(({ name }) => name))
  return Object.keys(row).filter(name => {
    if (selected.has(name) || (mayShowKey && keys.has(name))) return false
    if (row[name] === undefined || (row[name] === null && mayBeNull)) return false
    return structuralNames(type, session.service).get(name) === 'byDefault'
  })
}

/** Properties of a type and of those derived from it, by name, with how they are returned. */
function structuralNames(type: EntityType, service: Service): ReadonlyMap<string, 'always' | 'byDefault'> {
  const known = namesByType.get(type)
  if (known !== undefined) return known
  const names = new Map<string, 'always' | 'byDefault'>()
  for (const each of service.entityTypes) {
    if (!isKindOf(each, type)) continue
    for (const { name, returned } of each.properties) names.set(name, returned === 'always' ? 'always' : 'byDefault')
  }
  namesByType.set(type, names)
  return names
}

const namesByType = new WeakMap<EntityType, ReadonlyMap<string, 'always' | 'byDefault'>>()

function isKindOf(type: EntityType, base: EntityType): boolean {
  for (let each: EntityType | undefined = type; each !== undefined; each = each.base) if (each === base) return true
  return false
}
