import type { Expression, ParameterAlias } from '../ast.js'
import { bindNode } from './bind-expression.js'
import { type Frame, report } from './frame.js'
import { declaredType, type StaticType, untyped } from './static-type.js'

/** A parameter alias has the type of its value, or the one that the scope declares for it. */
export function bindAlias(alias: ParameterAlias, frame: Frame): StaticType {
  const known = frame.aliasTypes.get(alias.name)
  if (known !== undefined) return known
  const type = aliasType(alias.name, frame)
  frame.aliasTypes.set(alias.name, type)
  return type
}

function aliasType(name: string, frame: Frame): StaticType {
  const { parameters } = frame.scope
  const value = aliasValue(name, frame)
  if (value === undefined) {
    const parameter = parameters !== undefined && Object.hasOwn(parameters, name) ? parameters[name] : undefined
    if (parameter !== undefined) return declaredType(parameter, frame.types)
    report(frame, 'undefinedAlias', `The alias '@${name}' has no value. Add '@${name}=…' to the query.`)
    return untyped
  }
  const { resolving } = frame.run
  if (resolving.has(name)) {
    report(frame, 'circularAlias', `The value of the alias '@${name}' refers to itself.`)
    return untyped
  }
  resolving.add(name)
  // A lambda variable is visible in the lambda only, not in an alias that is used there.
  const type = bindNode(value, { ...frame, variables: new Map() })
  resolving.delete(name)
  return type
}

/** What the expression is once aliases that stand for it are replaced: the literal in `x eq @p` with `@p='a'`. */
export function resolveAlias(expression: Expression, frame: Frame): Expression {
  const seen = new Set<string>()
  let resolved = expression
  while (resolved.kind === 'alias' && !seen.has(resolved.name)) {
    seen.add(resolved.name)
    resolved = aliasValue(resolved.name, frame) ?? resolved
  }
  return resolved
}

function aliasValue(name: string, frame: Frame): Expression | undefined {
  return Object.hasOwn(frame.aliases, name) ? frame.aliases[name] : undefined
}
