import type { KeyValue, PathExpression } from '../ast.js'
import { resolveAlias } from './bind-alias.js'
import { bindNode } from './bind-expression.js'
import { checkComparison } from './check-comparison.js'
import { type Frame, report } from './frame.js'
import { pathText } from './operand.js'
import { declaredType, describeType, type StaticType, untyped } from './static-type.js'
import { structuredInfo } from './type-names.js'

/** `('x')` or `(isbn='x',number=2)`: one item of a collection of entities, by all properties of its key. */
export function bindKey(values: readonly KeyValue[], type: StaticType, path: PathExpression, frame: Frame): StaticType {
  if (type.kind !== 'collection' || type.of.kind !== 'entity') {
    const message = `A key may only follow a collection of entities, but found ${describeType(type)}.`
    report(frame, 'invalidKey', message, pathText(path))
    return untyped
  }
  const info = structuredInfo(type.of.name, frame.types)
  const key = info?.key ?? []
  const [only] = values
  const names =
    values.length === 1 && only?.name === undefined ? key.slice(0, 1) : values.map(value => value.name ?? '')
  const fits = key.length === values.length && new Set(names).size === key.length && key.every(k => names.includes(k))
  if (!fits) {
    const expected = key.length === 1 ? "('…')" : `(${key.map(name => `${name}=…`).join(',')})`
    report(frame, 'invalidKey', `The key of '${type.of.name}' is ${expected}.`, pathText(path))
    return type.of
  }
  for (const [index, name] of names.entries()) {
    const value = values[index]?.value
    const property = info !== undefined && Object.hasOwn(info.properties, name) ? info.properties[name] : undefined
    if (value === undefined || property === undefined) continue
    const given = { type: bindNode(value, frame), expression: resolveAlias(value, frame) }
    const declared = { type: declaredType(property, frame.types), expression: namedPath(name) }
    checkComparison('eq', declared, given, frame)
  }
  return type.of
}

function namedPath(name: string) {
  return { kind: 'path', segments: [{ kind: 'property', name }] } as const
}
