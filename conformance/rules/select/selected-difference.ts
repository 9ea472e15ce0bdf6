import type { QueryOptions, SelectItem } from '../../../runtime/query/index.js'
import type { EntityType, Property } from '../../../spec/language/index.js'
import { isRow } from '../../is-row.js'
import type { Row } from '../../json.js'
import { declaredProperties } from '../../reading/declared-properties.js'
import { isSameValue } from '../../reading/same-value.js'
import { unselectedIn } from '../../reading/unselected.js'
import type { Session } from '../../session/session.js'
import { keyOf } from '../../site/key-of.js'
import type { Snapshot } from '../../site/snapshot.js'

/** A property that a row shows otherwise than `$select` and the snapshot have it. */
export interface SelectedDifference {
  readonly name: string
  readonly key?: string
  readonly expected: string
  readonly received: string
  readonly features: readonly string[]
}

/** The first such property of a row; rows that the snapshot does not have are not compared. */
export function selectedDifference(
  row: Row,
  { select = [] }: QueryOptions,
  type: EntityType,
  snapshot: Pick<Snapshot, 'byKey'>,
  session: Pick<Session, 'service' | 'choices'>,
): SelectedDifference | undefined {
  const selected = new Set(select.map(({ path: [name = ''] }) => name))
  const key = keyOf(row, type)
  const at = key === undefined ? {} : { key }
  const [shown] = unselectedIn(row, selected, type, session)
  if (shown !== undefined) {
    const received = `${shown}: ${textOf(row[shown])}`
    return { name: shown, ...at, expected: `no ${shown}`, received, features: ['select', 'shown'] }
  }
  const known = key === undefined ? undefined : snapshot.byKey.get(key)
  if (known === undefined) return undefined
  const { properties } = declaredProperties(type, session.service)
  const names = selected.has('*')
    ? type.properties.flatMap(each => (each.returned === 'onSelect' ? [] : each.name))
    : selected
  for (const name of names) {
    const property = properties.get(name)
    if (property === undefined || !Object.hasOwn(known, name)) continue
    const member = unselectedMember(row[name], name, select, property)
    if (member !== undefined) {
      const received = `${name}: ${textOf(row[name])}`
      return {
        name: `${name}/${member}`,
        ...at,
        expected: `no ${name}/${member}`,
        received,
        features: ['select', 'path'],
      }
    }
    if (isSameValue(row[name], known[name], property)) continue
    const isAbsent = !Object.hasOwn(row, name)
    return {
      name,
      ...at,
      expected: `${name}: ${textOf(known[name])}`,
      received: isAbsent ? `no ${name}` : `${name}: ${textOf(row[name])}`,
      features: ['select', isAbsent ? 'absent' : 'value'],
    }
  }
  return undefined
}

/** A member of a complex value that is shown though only others were selected. */
function unselectedMember(
  value: unknown,
  name: string,
  select: readonly SelectItem[],
  { type, collection }: Property,
): string | undefined {
  const paths = select.filter(({ path }) => path[0] === name).map(({ path }) => path[1])
  if (collection || type.kind !== 'complexType' || paths.length === 0 || paths.includes(undefined)) return undefined
  if (!isRow(value)) return undefined
  const shown = type.properties.find(each => {
    const isShown = Object.hasOwn(value, each.name) && value[each.name] !== null
    return isShown && !paths.includes(each.name)
  })
  return shown?.name
}

function textOf(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing'
  return text.length > 80 ? `${text.slice(0, 80)}…` : text
}
