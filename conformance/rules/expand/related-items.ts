import type { ExpandItem } from '../../../runtime/query/index.js'
import type { EntityType, NavigationProperty } from '../../../spec/language/index.js'
import { permittedValues } from '../../choices/choices.js'
import { keyOf } from '../../discover/site.js'
import type { Row } from '../../json.js'
import { declaredProperties, mayHideValues, unselectedProperties } from '../../lists/properties.js'
import { duplicates, visibleKeys } from '../../lists/read-rows.js'
import { expandedRows, harvestedItem, type RowSource, relatedKeys } from '../../lists/related-items.js'
import { isSameValue } from '../../lists/values.js'
import type { Session } from '../../session/session.js'

/** A difference between the related items that a row shows and the expected ones. */
interface RelatedMismatch {
  readonly message: string
  readonly expected: string
  readonly received: string
  readonly missing?: readonly string[]
  readonly surplus?: readonly string[]
  readonly features: readonly string[]
}

/**
 * Compares the items of an expanded relation with the known related items.
 *
 * @param source where the row was read
 */
export function relatedMismatch(
  row: Row,
  item: ExpandItem,
  relation: NavigationProperty,
  type: EntityType,
  source: RowSource,
  session: Session,
): RelatedMismatch | undefined {
  const { name } = relation
  const related = expandedRows(row, relation)
  if (related === undefined || (!relation.collection && isLeftOut(row, name, session))) {
    return {
      message: `A row does not contain the expanded relation ${name}.`,
      expected: relation.collection ? `${name}, a list` : `${name}, an object or null`,
      received: Object.hasOwn(row, name) ? `${name}: ${JSON.stringify(row[name])?.slice(0, 80)}` : `no ${name}`,
      features: ['expand', 'absent'],
    }
  }
  if (!relation.collection && related.some(each => Object.keys(each).length === 0)) {
    return {
      message: `The expanded relation ${name} is an object without members.`,
      expected: `${name}, an object with the item, or null`,
      received: `${name}: {}`,
      features: ['expand', 'empty'],
    }
  }
  const names = item.options?.select?.map(({ path: [first = ''] }) => first)
  for (const each of related) {
    const fault = valueMismatch(each, relation, names, row, source, session)
    if (fault !== undefined) return fault
  }
  const isNarrowed = Object.keys(item.options ?? {}).some(option => option !== 'select' && option !== 'expand')
  return isNarrowed ? undefined : membersMismatch(row, related, relation, type, source, session)
}

/** If the service returns null for an empty relation, an absent member proves nothing. */
function isLeftOut(row: Row, name: string, session: Session): boolean {
  return !Object.hasOwn(row, name) && permittedValues(session, 'emptyRelation', 'null').isOnly('null')
}

function valueMismatch(
  related: Row,
  relation: NavigationProperty,
  selected: readonly string[] | undefined,
  row: Row,
  source: RowSource,
  session: Session,
): RelatedMismatch | undefined {
  const { name, type } = relation
  if (selected !== undefined) {
    const [shown] = unselectedProperties(related, new Set(selected), type, session)
    if (shown !== undefined) {
      return {
        message: `The $select inside $expand=${name} is not applied: ${shown} is returned too.`,
        expected: `${selected.join(', ')} and nothing else`,
        received: `${shown}: ${JSON.stringify(related[shown])?.slice(0, 80)}`,
        features: ['expand.select', 'shown'],
      }
    }
  }
  const key = keyOf(related, type)
  const known = key === undefined ? undefined : harvestedItem(key, relation, row, source, session)
  if (key === undefined || known === undefined) return undefined
  for (const [each, property] of declaredProperties(type, session.service).properties) {
    if (!Object.hasOwn(known, each)) continue
    const isSelected = selected?.includes(each) ?? false
    if (!Object.hasOwn(related, each) && !isSelected) continue
    if (selected !== undefined && !isSelected) continue
    if (!isSelected && related[each] === null && mayHideValues(session)) continue
    if (isSameValue(related[each], known[each], property, 'shown')) continue
    return {
      message: `An item of ${name} has another ${each} than in its own list.`,
      expected: `${each}: ${JSON.stringify(known[each])?.slice(0, 80)}`,
      received: Object.hasOwn(related, each) ? `${each}: ${JSON.stringify(related[each])?.slice(0, 80)}` : `no ${each}`,
      missing: [key],
      features: [selected === undefined ? 'expand' : 'expand.select', 'value'],
    }
  }
  return undefined
}

function mayBeLimited(session: Session): boolean {
  return permittedValues(session, 'expandedItems', 'all').includes('limited')
}

function membersMismatch(
  row: Row,
  related: readonly Row[],
  relation: NavigationProperty,
  type: EntityType,
  source: RowSource,
  session: Session,
): RelatedMismatch | undefined {
  const keys = visibleKeys(related, relation.type)
  if (keys === undefined) return undefined
  const { name } = relation
  const of = `${name} of ${keyOf(row, type) ?? 'an item'}`
  const twice = duplicates(keys)
  if (twice.length > 0) {
    const received = `${twice.length} of them more than once`
    return {
      message: `${of} has the same item more than once.`,
      expected: 'each item once',
      received,
      surplus: twice,
      features: ['expand', 'repeated'],
    }
  }
  const known = relatedKeys(relation, row, type, source, session)
  if (known === undefined) return undefined
  const shown = new Set(keys)
  const missing = [...known.certain].filter(key => !shown.has(key))
  const surplus = known.complete ? keys.filter(key => !known.certain.has(key)) : []
  const goesOn = Object.hasOwn(row, `${name}@odata.nextLink`)
  const mayBeCut = relation.collection && keys.length > 0 && (goesOn || mayBeLimited(session))
  if (surplus.length === 0 && (missing.length === 0 || mayBeCut)) return undefined
  return {
    message: `The expanded ${of} does not contain the related items.`,
    expected: `${known.complete ? '' : 'at least '}${known.certain.size} items: ${[...known.certain].slice(0, 5).join(', ')}`,
    received: `${keys.length} items: ${keys.slice(0, 5).join(', ')}`,
    missing,
    surplus,
    features: ['expand', 'related'],
  }
}
