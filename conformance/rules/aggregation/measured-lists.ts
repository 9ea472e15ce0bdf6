import type { QueryCapabilities } from '../../../spec/language/index.js'
import { type LeafProperty, leafProperties, leafValue } from '../../lists/properties.js'
import type { QuerySite } from '../../lists/related-items.js'
import { renderedProperties } from '../../lists/values.js'
import type { Session } from '../../session/session.js'

/** Properties of a list that aggregations can use, with values that every service groups and adds alike. */
interface MeasuredList {
  /** Numbers, those without values first. */
  readonly measures: readonly LeafProperty[]
  /** Properties with few different values, those with null first. */
  readonly groups: readonly LeafProperty[]
}

const numeric = /^Edm\.(S?Byte|Int\d\d|Decimal)$/
const groupable = /^Edm\.(S?Byte|Int\d\d|Boolean|Guid|Date|String)$/

/** The properties of a completely read list that aggregations can use; undefined if it has none. */
export function measuredList(site: QuerySite, session: Session): MeasuredList | undefined {
  const snapshot = session.snapshot(site)
  if (snapshot?.complete !== true || snapshot.rows.length < 3) return undefined
  const { query } = site.endpoint
  const rendered = renderedProperties(session.service)
  const isEnum = (typeName: string): boolean => !typeName.startsWith('Edm.')
  const known = leafProperties(site.type)
    .filter(({ path }) => path.length === 1 && !rendered.has(path[0] ?? '') && isOffered(path, query))
    .map(leaf => ({ leaf, values: snapshot.rows.map(row => leafValue(row, leaf.path)) }))
    .filter(({ values }) => !values.includes(undefined))
  const nullsFirst = (a: { readonly values: readonly unknown[] }, b: { readonly values: readonly unknown[] }): number =>
    Number(b.values.includes(null)) - Number(a.values.includes(null))
  const measures = known.filter(
    ({ leaf, values }) => numeric.test(leaf.typeName) && distinctOf(values).length > 1 && values.every(isExactNumber),
  )
  const groups = known.filter(({ leaf, values }) => {
    const distinct = distinctOf(values)
    const isFew = distinct.length > 1 && distinct.length < values.length
    return isFew && (groupable.test(leaf.typeName) || isEnum(leaf.typeName)) && areClearlyDifferent(distinct)
  })
  return {
    measures: measures.sort(nullsFirst).map(({ leaf }) => leaf),
    groups: groups.sort(nullsFirst).map(({ leaf }) => leaf),
  }
}

function isOffered(path: readonly string[], { filter }: QueryCapabilities): boolean {
  const name = path.join('/')
  const exception = Object.hasOwn(filter.properties, name) ? filter.properties[name] : undefined
  return exception?.support !== 'none'
}

function distinctOf(values: readonly unknown[]): readonly unknown[] {
  return [...new Set(values.filter(value => value !== null))]
}

/** JSON numbers above 2^53 are not those that the service holds. */
function isExactNumber(value: unknown): boolean {
  return value === null || (typeof value === 'number' && Math.abs(value) < Number.MAX_SAFE_INTEGER)
}

/** A collation may take texts for equal that differ in case, accents or spaces. */
function areClearlyDifferent(distinct: readonly unknown[]): boolean {
  const folded = distinct.map(value =>
    typeof value === 'string'
      ? value
          .normalize('NFKD')
          .replace(/[^\p{L}\p{N},]/gu, '')
          .toLowerCase()
      : String(value),
  )
  return new Set(folded).size === distinct.length && !folded.includes('')
}
