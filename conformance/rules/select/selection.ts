import type { QueryOptions, SelectItem } from '../../../runtime/query/index.js'
import type { EntityType, Property } from '../../../spec/language/index.js'
import { keyOf, type Snapshot } from '../../discover/site.js'
import { isRow, type Row } from '../../json.js'
import { declaredProperties, unselectedProperties } from '../../lists/properties.js'
import { isSameValue } from '../../lists/values.js'
import type { Session } from '../../session/session.js'

/**
 * Selections in which each property is selected at least once and omitted at least once: every other property and those
 * with similar names, then all, then the rest. Each includes the key.
 */
export function plannedSelections(type: EntityType): readonly (readonly string[])[] {
  const keys = type.key.map(({ name }) => name)
  const names = type.properties
    .filter(({ name, type: of }) => !keys.includes(name) && !(of.kind === 'primitive' && of.name === 'Stream'))
    .map(({ name }) => name)
  const alike = names.filter(name =>
    names.some(other => other !== name && (other.includes(name) || name.includes(other))),
  )
  const even = names.filter((name, index) => index % 2 === 0 || alike.includes(name))
  const odd = names.filter((_, index) => index % 2 === 1)
  return [even, names, odd].filter(each => each.length > 0).map(each => [...keys, ...each])
}

/** Names that contain each other, such as `mail` and `mailNickname`. */
export function alikeNames(type: EntityType): readonly string[] {
  const keys = type.key.map(({ name }) => name)
  const names = type.properties.map(({ name }) => name).filter(name => !keys.includes(name))
  return names.filter(name =>
    names.some(other => {
      const [a, b] = [name.toLowerCase(), other.toLowerCase()]
      return a !== b && (a.includes(b) || b.includes(a))
    }),
  )
}

/** A difference between a row and what `$select` and the snapshot predict. */
interface SelectedDifference {
  readonly name: string
  readonly key?: string
  readonly expected: string
  readonly received: string
  readonly features: readonly string[]
}

/** The first difference of a row. Rows that are not in the snapshot are not compared. */
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
  const [shown] = unselectedProperties(row, selected, type, session)
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

/** A member of a complex value that was not selected but is shown. */
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
