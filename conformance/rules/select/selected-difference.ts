import type { QueryOptions } from '../../../runtime/query/index.js'
import type { EntityType } from '../../../spec/language/index.js'
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
  for (const name of selected) {
    const property = properties.get(name)
    if (property === undefined || !Object.hasOwn(known, name)) continue
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

function textOf(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing'
  return text.length > 80 ? `${text.slice(0, 80)}…` : text
}
