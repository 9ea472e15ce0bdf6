import type { Expression } from '../../runtime/query/index.js'
import { typeName } from '../../spec/language/table/type-table.js'
import type { Row } from '../json.js'
import type { Session } from '../session/session.js'
import type { Site } from '../site/site.js'
import { binary, joined, pathTo } from './build.js'
import { grammarOf } from './grammar.js'
import { literalOf } from './literal-of.js'

/** The condition that picks one row by its key: `id eq 'x'`. Absent where the spec does not let filters read the key. */
export function keyFilter(row: Row, site: Site, session: Session): Expression | undefined {
  const { type } = site
  const grammar = grammarOf(site, session)
  if (type === undefined || grammar === undefined || !grammar.has('eq')) return undefined
  const parts: Expression[] = []
  for (const property of type.key) {
    const term = grammar.terms.find(({ path }) => path.length === 1 && path[0] === property.name)
    if (term === undefined) return undefined
    const primitive =
      property.type.kind === 'typeDefinition' ? `Edm.${property.type.underlying}` : typeName(property.type)
    const literal = literalOf(primitive, row[property.name], session)
    if (literal === undefined) return undefined
    parts.push(binary('eq', pathTo([property.name]), literal))
  }
  const [first, ...others] = parts
  if (first === undefined || (others.length > 0 && !grammar.has('and'))) return undefined
  return joined('and', first, ...others)
}
