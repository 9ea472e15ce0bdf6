import { sql } from 'kysely'
import type { Expression } from '../../../runtime/query/index.js'
import { scalar } from './compile-call.js'
import { asType } from './compile-comparison.js'
import { isTrue } from './compile-condition.js'
import { compileOperand } from './compile-operand.js'
import type { Frame } from './frame.js'
import type { Operand } from './operand.js'
import { unsupported } from './unsupported.js'

/** The result behind the first condition that is true, else null. */
export function caseOperand(given: readonly Expression[], frame: Frame): Operand {
  const results = given.filter((_, index) => index % 2 === 1).map(result => compileOperand(result, frame))
  const typed =
    results.find(result => result.kind === 'scalar' && result.text === undefined) ??
    results.find(result => result.kind === 'scalar')
  if (typed?.kind !== 'scalar') return { kind: 'null' }
  const branches = results.map((result, index) => {
    const condition = given[index * 2]
    if (condition === undefined) throw unsupported(frame.option, "'case' takes pairs of conditions and results.")
    return sql`WHEN ${isTrue(condition, frame)} THEN ${resultSql(result, typed, frame)}`
  })
  return scalar(typed.type, sql`CASE ${sql.join(branches, sql` `)} END`)
}

function resultSql(result: Operand, { type }: Extract<Operand, { kind: 'scalar' }>, frame: Frame) {
  if (result.kind === 'null') return sql`NULL`
  if (result.kind !== 'scalar') throw unsupported(frame.option, "'case' is supported for single values only.")
  return result.text === undefined ? result.sql : asType(result.text, type, frame).sql
}
