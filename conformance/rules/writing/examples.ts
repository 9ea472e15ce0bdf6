import { isRow, type Row } from '../../json.js'

/** What existing items of a collection hold: models for the values of new items. */
export interface Examples {
  /** Existing items. Empty if none could be read. */
  readonly rows: readonly Row[]
  /** How many items there were; undefined if the collection could not be read. */
  readonly total: number | undefined
  /** The values at a path of property names, without null; the items of collections one by one. */
  readonly at: (path: readonly string[]) => readonly unknown[]
}

/** More items show no further forms of values. */
const maxRows = 60

export function examplesOf(rows: readonly Row[] | undefined): Examples {
  const few = rows?.slice(0, maxRows) ?? []
  const known = new Map<string, readonly unknown[]>()
  return {
    rows: few,
    total: rows?.length,
    at: path => {
      const name = path.join('/')
      const values = known.get(name) ?? few.flatMap(row => valuesAt(row, path))
      known.set(name, values)
      return values
    },
  }
}

function valuesAt(value: unknown, path: readonly string[]): readonly unknown[] {
  if (Array.isArray(value)) return value.flatMap(item => valuesAt(item, path))
  const [name, ...rest] = path
  if (name === undefined) return value === null || value === undefined ? [] : [value]
  return isRow(value) && Object.hasOwn(value, name) ? valuesAt(value[name], rest) : []
}
