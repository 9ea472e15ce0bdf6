import { sql } from 'kysely'
import type { Expression, TypeExpression } from '../../../runtime/query/index.js'
import type { ComplexType } from '../../../spec/language/index.js'
import type { Sql } from '../dialect/dialect.js'
import { isDerived } from '../schema/is-derived.js'
import { castToEnum, castToPrimitive } from './cast-scalar.js'
import { isNull } from './compile-comparison.js'
import { compileOperand } from './compile-operand.js'
import { castRow } from './compile-path.js'
import { copied, type Frame } from './frame.js'
import type { EntityRow, Operand, Scalar, Structure } from './operand.js'
import { unsupported } from './unsupported.js'

/**
 * `cast(expression,type)`: the value as one of another type, null where it is none. Without an expression, the item.
 *
 * @see OData 4.01 URL Conventions, 5.1.1.10.1
 */
export function castOperand(given: readonly Expression[], frame: Frame): Operand {
  const { operand, type } = operandAndType('cast', given, frame)
  return castTo(operand, type.name, frame)
}

/**
 * `isof(expression,type)`: whether the value can be cast to the type; null where it is null.
 *
 * @see OData 4.01 URL Conventions, 5.1.1.10.2
 */
export function isofOperand(given: readonly Expression[], frame: Frame): Operand {
  const { operand, type } = operandAndType('isof', given, frame)
  if (operand.kind === 'null') return operand
  const found = castTo(operand, type.name, frame)
  const isOfType = sql`CASE WHEN NOT (${isNull(operand, frame)}) THEN NOT (${isNull(found, frame)}) END`
  return { kind: 'scalar', type: { kind: 'boolean' }, sql: isOfType, nullable: true }
}

function operandAndType(
  name: 'cast' | 'isof',
  given: readonly Expression[],
  frame: Frame,
): { readonly operand: Operand; readonly type: TypeExpression } {
  const type = given.at(-1)
  if (type?.kind !== 'type') throw unsupported(frame.option, `'${name}' needs a type as its last argument.`)
  if (type.collection) throw unsupported(frame.option, `'${name}' to a collection is not supported here.`)
  const [first] = given
  // An item is asked for its type beside each of its columns.
  const copies = (type.name.startsWith('Edm.') ? 1 : 2) + (name === 'isof' ? 1 : 0)
  const operand = given.length < 2 || first === undefined ? frame.current : compileOperand(first, copied(frame, copies))
  return { operand, type }
}

function castTo(operand: Operand, name: string, frame: Frame): Operand {
  switch (operand.kind) {
    case 'null':
      return operand
    case 'scalar':
      return castScalar(operand, name, frame)
    case 'row':
      return castItem(operand, name, frame)
    case 'structure':
      return castStructure(operand, name, frame)
    default:
      throw unsupported(frame.option, 'Collections cannot be cast here.')
  }
}

function castScalar(value: Scalar, name: string, frame: Frame): Operand {
  if (name.startsWith('Edm.')) return castToPrimitive(value, name.slice('Edm.'.length), frame)
  const type = frame.schema.typeNamed(unqualified(name))
  if (type?.kind === 'typeDefinition') return castToPrimitive(value, type.underlying, frame)
  return type?.kind === 'enumType' ? castToEnum(value, type, frame) : { kind: 'null' }
}

function castItem(row: EntityRow, name: string, frame: Frame): Operand {
  const type = frame.schema.typeNamed(unqualified(name))
  return type?.kind === 'entityType' ? castRow(row, type) : { kind: 'null' }
}

/** A complex value names its type where that is not the declared one. */
function castStructure(value: Structure, name: string, frame: Frame): Operand {
  const type = frame.schema.typeNamed(unqualified(name))
  if (type?.kind !== 'complexType') return { kind: 'null' }
  const { dialect } = frame
  const { json, path } = value.place
  const named = dialect.jsonValue({ json, path: [...path, '@odata.type'] }, 'text')
  const isOfType = derivedNames(type, value.type, named, frame)
  const part = sql`CASE WHEN ${isOfType} THEN ${dialect.jsonPart(value.place)} END`
  return { kind: 'scalar', type: { kind: 'json' }, sql: part, nullable: true }
}

function derivedNames(type: ComplexType, declared: ComplexType, named: Sql, { schema }: Frame): Sql {
  const names = schema.complexTypes
    .filter(candidate => isDerived(candidate, type))
    .map(({ qualifiedName }) => `#${qualifiedName}`)
  const actual = sql`coalesce(${named}, ${sql.lit(`#${declared.qualifiedName}`)})`
  return sql`${actual} IN (${sql.join(names.map(each => sql.lit(each)))})`
}

function unqualified(name: string): string {
  return name.slice(name.lastIndexOf('.') + 1)
}
