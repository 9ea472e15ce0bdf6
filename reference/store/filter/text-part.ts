import { sql } from 'kysely'
import type { Expression } from '../../../runtime/query/index.js'
import type { Sql } from '../dialect/dialect.js'
import { argument, asArgument, scalar } from './compile-call.js'
import { collectionFunction, isCollection } from './compile-collection-function.js'
import { compileOperand } from './compile-operand.js'
import { copied, type Frame } from './frame.js'
import type { Operand, Scalar } from './operand.js'
import { unsupported } from './unsupported.js'

/** Functions of a text and a second argument. Positions and lengths count characters. */
export function textPart(
  name: 'concat' | 'indexof' | 'substring',
  given: readonly Expression[],
  frame: Frame,
): Operand {
  const isCut = name === 'substring'
  const [first, other] = given
  if (first === undefined || other === undefined) throw unsupported(frame.option, `'${name}' takes two arguments.`)
  const whole = compileOperand(first, copied(frame, isCut ? 2 : 1))
  const part = compileOperand(other, copied(frame, isCut ? 6 : 1))
  if (name === 'indexof' && (isCollection(whole) || isCollection(part))) {
    return scalar({ kind: 'integer' }, collectionFunction(name, whole, part, frame))
  }
  const text = asArgument(whole, ['string'], name, frame)
  const second = asArgument(part, [isCut ? 'integer' : 'string'], name, frame)
  if (text === undefined || second === undefined) return { kind: 'null' }
  switch (name) {
    case 'concat':
      return scalar({ kind: 'string' }, sql`(${text.sql} || ${second.sql})`)
    case 'indexof':
      return scalar({ kind: 'integer' }, sql`(${frame.dialect.position(text.sql, second.sql)} - 1)`)
    case 'substring':
      return substring(text, second, given[2], frame)
  }
}

/** A negative start counts from the end; a start behind the end gives nothing, as does a negative count. */
function substring(text: Scalar, start: Scalar, third: Expression | undefined, frame: Frame): Operand {
  const { greatest } = frame.dialect
  const first =
    start.number !== undefined && !start.number.startsWith('-')
      ? sql`${sql.lit(bounded(start.number) + 1)}`
      : sql`CASE WHEN ${start.sql} < 0 THEN ${greatest(sql`length(${text.sql}) + ${start.sql}`, sql`0`)} ELSE ${start.sql} END + 1`
  if (third === undefined) return scalar({ kind: 'string' }, sql`substr(${text.sql}, ${asInt(first, frame)})`)
  const count = argument(third, ['integer'], 'substring', copied(frame, 3))
  if (count === undefined) return { kind: 'null' }
  const length = greatest(count.sql, sql`0`)
  const cut = sql`substr(${text.sql}, ${asInt(first, frame)}, ${asInt(length, frame)})`
  // PostgreSQL's greatest passes over null.
  return scalar({ kind: 'string' }, sql`CASE WHEN ${count.sql} IS NOT NULL THEN ${cut} END`)
}

/** Longer than any text; larger numbers would leave the engines' range. */
const longest = 1_000_000_000

function bounded(number: string): number {
  return Math.min(Number(number), longest)
}

/** PostgreSQL takes positions as 32-bit integers, and its `least` passes over null. */
function asInt(value: Sql, { dialect }: Frame): Sql {
  if (dialect.name !== 'postgres') return value
  return sql`CASE WHEN ${value} > ${sql.lit(longest)} THEN ${sql.lit(longest)} ELSE ${value} END::int`
}
