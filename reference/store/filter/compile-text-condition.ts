import { sql } from 'kysely'
import type { FunctionCall } from '../../../runtime/query/index.js'
import type { Sql } from '../dialect/dialect.js'
import { afterPrefix } from './after-prefix.js'
import { always } from './combine.js'
import { compileOperand } from './compile-operand.js'
import { copied, type Frame } from './frame.js'
import type { Operand, Scalar } from './operand.js'
import { unsupported } from './unsupported.js'

/** That a text contains another, begins or ends with it; null where either is null. */
export function textCondition(call: FunctionCall, frame: Frame): Sql {
  const [first, second] = call.arguments
  if (first === undefined || second === undefined) throw unsupported(frame.option, `${call.function} takes two texts.`)
  const whole = compileOperand(first, copied(frame, 2))
  const part = compileOperand(second, copied(frame, 2))
  if (whole.kind === 'null' || part.kind === 'null') return sql`NULL`
  const a = text(whole, call.function, frame)
  const b = text(part, call.function, frame)
  switch (call.function) {
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
  throw unsupported(frame.option, `'${name}' is supported for texts only.`)
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
