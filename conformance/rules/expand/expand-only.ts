import type { ExpandItem } from '../../../runtime/query/index.js'
import type { EntityType } from '../../../spec/language/index.js'
import { keyOf } from '../../discover/site.js'
import type { Row } from '../../json.js'
import { declaredProperties } from '../../lists/properties.js'
import { rowsIn } from '../../lists/read-rows.js'
import { expandedRows } from '../../lists/related-items.js'
import type { PassiveRule } from '../../rule/rule.js'
import type { Session } from '../../session/session.js'

/** @see OData Protocol 4.01, 11.2.5.2 */
export const expandOnly: PassiveRule = {
  kind: 'passive',
  id: 'expand-only',
  area: 'expand',
  statement: 'A relation is returned only if it is expanded. Otherwise it is absent or null.',
  advice:
    'An empty list for a relation that was not expanded wrongly says that there are no related items. Omit the relation.',
  aspects: ['expand.only'],
  covers: ['expand'],
  severity: 'must',
  inspect: (response, site, session) => {
    const { path, options, rawQuery } = response.testRequest
    if (site?.type === undefined || path !== site.path || rawQuery !== undefined) return undefined
    const rows = rowsIn(response, site)
    if (rows.length === 0) return undefined
    const expanded = new Set((options?.expand ?? []).map(({ path: [name = ''] }) => name))
    if (expanded.has('*')) return undefined
    const { relations } = declaredProperties(site.type, session.service)
    for (const row of rows) {
      const found = unasked(row, site.type, options?.expand ?? [], session)
      if (found === undefined) continue
      const key = keyOf(row, site.type)
      return {
        message: `The relation ${found.path} is returned, although it was not expanded.`,
        expected: `no ${found.path}`,
        received: `${found.path}: ${JSON.stringify(found.value)?.slice(0, 80)}`,
        ...(key === undefined ? {} : { surplus: [key] }),
        answers: [response],
        features: ['expand', 'unasked'],
      }
    }
    return relations.size > 0 ? 'seen' : undefined
  },
}

/** The first relation that an item, or an expanded item in it, shows without having been asked to. */
function unasked(
  row: Row,
  type: EntityType,
  expand: readonly ExpandItem[],
  session: Pick<Session, 'service'>,
): { readonly path: string; readonly value: unknown } | undefined {
  for (const [name, relation] of declaredProperties(type, session.service).relations) {
    const value = Object.hasOwn(row, name) ? row[name] : undefined
    if (value === undefined || value === null) continue
    const item = expand.find(({ path }) => path[0] === name)
    if (item === undefined) return { path: name, value }
    // A segment such as $ref or $count, and $levels, show something other than the related items.
    if (item.path.length > 1 || item.options?.levels !== undefined) continue
    const inner = item.options?.expand ?? []
    if (inner.some(({ path }) => path[0] === '*')) continue
    for (const related of expandedRows(row, relation) ?? []) {
      const found = unasked(related, relation.type, inner, session)
      if (found !== undefined) return { ...found, path: `${name}/${found.path}` }
    }
  }
  return undefined
}
