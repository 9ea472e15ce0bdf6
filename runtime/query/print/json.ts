import type { Expression, ListExpression, ObjectExpression } from '../ast.js'
import { printExpression } from './expression.js'
import { type Place, within } from './place.js'

/** `["a",1]` */
export function printJsonArray({ items }: ListExpression, place: Place): string {
  const inner = within(place)
  return `[${items.map(item => printJsonValue(item, inner)).join(',')}]`
}

/** `{"a":1}` */
export function printJsonObject({ members }: ObjectExpression, place: Place): string {
  const inner = within(place)
  return `{${members.map(({ name, value }) => `${JSON.stringify(name)}:${printJsonValue(value, inner)}`).join(',')}}`
}

function printJsonValue(value: Expression, place: Place): string {
  return value.kind === 'literal' && value.type === 'String'
    ? JSON.stringify(value.value)
    : printExpression(value, place)
}
