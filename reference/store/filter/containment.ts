import { sql } from 'kysely'
import type { Expression } from '../../../runtime/query/index.js'
import type { Sql } from '../dialect/dialect.js'
import { afterPrefix } from './after-prefix.js'
import { always } from './combine.js'
import { collectionFunction, isCollection } from './compile-collection-function.js'
import { compileOperand } from './compile-operand.js'
import { copied, type Frame } from './frame.js'
import type { Operand, Scalar } from './operand.js'
import { unsupported } from './unsupported.js'

export type BooleanFunction = 'contains' | 'startswith' | 'endswith' | 'hassubset' | 'hassubsequence'

/** That a text or a collection contains another, begins or ends with it; null where either is null. */
export function containment(name: BooleanFunction, given: readonly Expression[], frame: Frame): Sql {
  const [first, second] = given
  if (first === undefined || second === undefined) throw unsupported(frame.option, `'${name}' takes two arguments.`)
  const whole = compileOperand(first, copied(frame, 2))
  const part = compileOperand(second, copied(frame, 2))
  if (whole.kind === 'null' || part.kind === 'null') return sql`NULL`
  if (name === 'hassubset' || name === 'hassubsequence' || isCollection(whole) || isCollection(part)) {
    return collectionFunction(name, whole, part, frame)
  }
  const a = text(whole, name, frame)
  const b = text(part, name, frame)
  switch (name) {
    case 'startswith':
      return startsWith(a, b, frame)
    case 'endswith':
      return endsWith(a, b, frame)
    default:
      return sql`${frame.dialect.position(a.sql, b.sql)} > 0`
  }
}

function text(operand: Operand, name: string, frame: Frame): Scalar {
  if (operand.kind === 'scalar' && operand.type.kind === 'string') return operand
  throw unsupported(frame.option, `'${name}' is supported for texts and collections only.`)
}

/** A known prefix is a range of texts, which an index can give. */
function startsWith(whole: Scalar, part: Scalar, frame: Frame): Sql {
  if (part.text === undefined) return sql`substr(${whole.sql}, 1, length(${part.sql})) = ${part.sql}`
  if (part.text === '') return whole.nullable ? sql`(${whole.sql} >= ${part.sql})` : always
  const end = afterPrefix(part.text)
  if (end === undefined) return sql`${whole.sql} >= ${part.sql}`
  return sql`(${whole.sql} >= ${part.sql} AND ${whole.sql} < ${frame.dialect.bind(end, 'text')})`
}

/** Where the whole is shorter than the part, all of it is taken, and differs. */
function endsWith(whole: Scalar, part: Scalar, frame: Frame): Sql {
  const length = part.text === undefined ? sql`length(${part.sql})` : sql.lit([...part.text].length)
  const start = frame.dialect.greatest(sql`length(${whole.sql}) - ${length} + 1`, sql`1`)
  return sql`substr(${whole.sql}, ${start}) = ${part.sql}`
}
