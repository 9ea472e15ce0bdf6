import type { PathExpression, PathSegment } from '../../../../runtime/query/index.js'
import type { StructuredType } from '../../../../spec/language/index.js'
import { readValue } from '../value/read-value.js'
import type { Value } from '../value/value.js'
import { isOfType } from '../world/is-of-type.js'
import { type Environment, objectOf } from './environment.js'

/** The value that a path leads to; null when there is nothing on the way. */
export function followPath(path: PathExpression, env: Environment): Value {
  let value: Value = startOf(path, env)
  for (const segment of path.segments) value = followSegment(value, segment, env)
  return value
}

function startOf({ root }: PathExpression, env: Environment): Value {
  if (root?.kind === 'variable') return env.variables.get(root.name) ?? null
  if (root?.kind === 'this') return env.variables.get('$this') ?? env.it
  return env.it
}

function followSegment(value: Value, segment: PathSegment, env: Environment): Value {
  if (typeof value !== 'object' || value === null) return null
  if (value.kind === 'collection') {
    if (segment.kind === 'count') return value.items.length
    if (segment.kind === 'cast')
      return { kind: 'collection', items: value.items.filter(item => isNamed(item, segment.type)) }
    return null
  }
  if (segment.kind === 'cast') return isNamed(value, segment.type) ? value : null
  return segment.kind === 'property' ? env.at.behaviour.step(value, segment.name, env) : null
}

/** A property, or a relation, of an object. */
export function memberOf(value: Value, name: string, env: Environment): Value {
  if (typeof value !== 'object' || value?.kind !== 'object') return null
  const property = value.type.properties.find(each => each.name === name)
  if (property !== undefined) return readValue(value.values[name] ?? null, property.type, property.collection)
  const relation = value.type.navigation.find(each => each.name === name)
  if (relation === undefined || value.entity === undefined) return null
  const targets = env.at.behaviour.related(value.entity, relation, env.at)
  if (relation.collection) return { kind: 'collection', items: targets.map(objectOf) }
  const [target] = targets
  return target === undefined ? null : objectOf(target)
}

function isNamed(value: Value, name: string): boolean {
  if (typeof value !== 'object' || value?.kind !== 'object') return false
  for (let type: StructuredType | undefined = value.type; type !== undefined; type = type.base) {
    if (type.qualifiedName === name || type.name === name) return isOfType(value.type, type)
  }
  return false
}
