import type { SelectItem } from '../../../runtime/query/index.js'
import type { EntityType } from '../../../spec/language/index.js'
import { selectItems } from '../../lists/properties.js'
import { queryText, readRows } from '../../lists/read-rows.js'
import { listSites, querySite } from '../../lists/related-items.js'
import type { ActiveRule } from '../../rule/rule.js'
import { alikeNames, plannedSelections, selectedDifference } from './selection.js'

/** @see OData Protocol 4.01, 11.2.5.1 */
export const selectValues: ActiveRule = {
  kind: 'active',
  id: 'select-values',
  area: 'select',
  statement: 'Selected properties have the same values as without $select.',
  advice:
    'Check properties whose name is part of another name, and properties that are null: these get lost or changed most often.',
  aspects: ['select.properties'],
  covers: ['select'],
  severity: 'must',
  writes: false,
  requiredOptions: ['select'],
  cost: 1,
  weight: 14,
  // Names that contain each other are confused most easily.
  sites: session =>
    [...listSites(session, ({ select }) => select !== 'none')].sort(
      (a, b) => Number(alikeNames(b.type).length > 0) - Number(alikeNames(a.type).length > 0),
    ),
  cases: (site, session) => {
    const found = querySite(site)
    if (found === undefined || (session.snapshot(site)?.rows.length ?? 0) === 0)
      return { skipReason: 'a list with items' }
    const named = plannedSelections(found.type).map(names => selectItems(names))
    // Paths and * are part of OData; an interface may support only names.
    const isWhole = found.endpoint.query.select === 'required'
    const [first, ...others] = named
    const all = [...(first === undefined ? [] : [first]), ...(isWhole ? special(found.type) : []), ...others]
    return { planned: all.map(select => ({ options: { select } })) }
  },
  check: async ({ options = {} }, site, session) => {
    const found = querySite(site)
    const snapshot = session.snapshot(site)
    if (found === undefined || snapshot === undefined) return { kind: 'inconclusive', why: 'no list' }
    if (options.select === undefined) return { kind: 'pass', vacuous: true }
    const reading = await readRows(found, session, options, { pages: 1 })
    if (reading.kind === 'ended') return reading.verdict
    const { rows, pages } = reading.listing
    for (const row of rows) {
      const difference = selectedDifference(row, options, found.type, snapshot, session)
      if (difference === undefined) continue
      const { name, key, ...rest } = difference
      return {
        kind: 'fail',
        finding: {
          message: `With ${queryText(options)}, the property ${name} does not have its expected value.`,
          ...rest,
          ...(key === undefined ? {} : { missing: [key] }),
          answers: pages,
        },
      }
    }
    return { kind: 'pass', vacuous: rows.length === 0 }
  },
}

/** A path into a complex value, and `*`. */
function special({ key, properties }: EntityType): readonly (readonly SelectItem[])[] {
  const keys = selectItems(key.map(({ name }) => name))
  const inner = properties.find(({ type, collection, returned }) => {
    return type.kind === 'complexType' && !collection && returned !== 'onSelect' && type.properties.length > 1
  })
  const member = inner?.type.kind === 'complexType' ? inner.type.properties[0] : undefined
  const path = inner === undefined || member === undefined ? [] : [[...keys, { path: [inner.name, member.name] }]]
  return [...path, [{ path: ['*'] }]]
}
