import type { EntityType } from '../../../spec/language/index.js'
import { isRow, type Row } from '../../json.js'
import type { PassiveRule } from '../../rule/rule.js'
import { pageOf } from '../../session/list-pages.js'

export const propertyNames: PassiveRule = {
  kind: 'watching',
  id: 'property-names',
  area: 'items',
  statement: 'Properties have the names of the interface, letter for letter.',
  advice: 'A serializer that spells names in its own way is configured for the whole service, once.',
  clauses: ['names.camelCase'],
  covers: ['property'],
  severity: 'must',
  inspect: (answer, site) => {
    if (answer.transportError !== undefined || answer.status !== 200 || site?.type === undefined) return undefined
    const { kind } = site.endpoint
    if (kind !== 'item' && kind !== 'collection' && kind !== 'delta') return undefined
    const rows = kind === 'item' ? (isRow(answer.json) ? [answer.json] : []) : (pageOf(answer)?.rows ?? [])
    if (rows.length === 0) return undefined
    const misspelt = misspeltNames(rows, site.type)
    if (misspelt === undefined) return 'seen'
    return {
      message: `The property ${misspelt.right} is spelt ${misspelt.wrong}.`,
      expected: misspelt.right,
      received: misspelt.wrong,
      answers: [answer],
      features: ['property.name'],
    }
  },
}

function misspeltNames(rows: readonly Row[], type: EntityType): { right: string; wrong: string } | undefined {
  const declared = new Set([...type.properties, ...type.navigation].map(({ name }) => name))
  const folded = new Map([...declared].map(name => [fold(name), name]))
  for (const row of rows) {
    for (const wrong of Object.keys(row)) {
      const right = declared.has(wrong) ? undefined : folded.get(fold(wrong))
      if (right !== undefined && !Object.hasOwn(row, right)) return { right, wrong }
    }
  }
  return undefined
}

/** Letters and digits alone, in lower case: what stays of a name in every way of spelling. */
function fold(name: string): string {
  return name.toLowerCase().replaceAll(/[_-]/g, '')
}
