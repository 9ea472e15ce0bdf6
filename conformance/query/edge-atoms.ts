import type { Expression } from '../../runtime/query/index.js'
import type { Session } from '../session/session.js'
import type { Atom } from './atom.js'
import { binary } from './build.js'
import type { Term } from './grammar.js'
import { literalOf } from './literal-of.js'

const ordered: ReadonlySet<string> = new Set([
  ...['Edm.String', 'Edm.Byte', 'Edm.SByte', 'Edm.Int16', 'Edm.Int32', 'Edm.Int64', 'Edm.Decimal', 'Edm.Double'],
  ...['Edm.Date', 'Edm.DateTimeOffset', 'Edm.TimeOfDay'],
])

/** Limits near the smallest and the greatest values, which few rows lie beyond: what the limit itself is shows there. */
export function* edgeAtoms(
  path: Expression,
  { type, allows }: Term,
  values: readonly unknown[],
  name: string,
  session: Session,
): Generator<Atom> {
  if (!ordered.has(type) || values.length < 3) return
  const sorted = [...values].sort((a, b) => (isNumber(a) && isNumber(b) ? a - b : String(a) < String(b) ? -1 : 1))
  const edges = [
    ['lt', sorted[1]],
    ['ge', sorted.at(-1)],
    ['le', sorted[0]],
    ['gt', sorted.at(-2)],
  ] as const
  for (const [operator, value] of edges) {
    const literal = literalOf(type, value, session)
    if (literal !== undefined && allows(operator)) {
      yield { kind: `${operator} ${name}`, filter: binary(operator, path, literal) }
    }
  }
}

function isNumber(value: unknown): value is number {
  return typeof value === 'number'
}
