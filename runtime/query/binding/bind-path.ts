import type { PathExpression, PathSegment } from '../ast.js'
import { bindCast } from './bind-cast.js'
import { bindCount } from './bind-count.js'
import { bindFilterSegment } from './bind-filter-segment.js'
import { bindKey } from './bind-key.js'
import { bindPathFunction } from './bind-path-function.js'
import { type Frame, report } from './frame.js'
import { memberType, unknownProperty } from './member-type.js'
import { pathText } from './operand.js'
import { describeType, type StaticType, untyped } from './static-type.js'
import { didYouMean } from './suggestion.js'

/**
 * What a path leads to: from its root, segment by segment.
 *
 * @see OData URL Conventions 4.01, 5.1.1.15
 */
export function bindPath(path: PathExpression, frame: Frame): StaticType {
  const [first, ...others] = path.segments
  let segments = path.segments
  let type = startOf(path, frame)
  if (path.root === undefined && first?.kind === 'property' && frame.computed.has(first.name)) {
    type = frame.computed.get(first.name) ?? untyped
    segments = others
  }
  if (path.root === undefined && first?.kind === 'function') {
    type = bindPathFunction(first, undefined, frame)
    segments = others
  }
  if (path.root?.kind === 'root') {
    type = resourceType(first, frame)
    segments = others
  }
  for (const segment of segments) {
    if (type.kind === 'untyped') return untyped
    type = follow(segment, type, path, frame)
  }
  return type
}

function startOf(path: PathExpression, frame: Frame): StaticType {
  const { root } = path
  switch (root?.kind) {
    case 'it':
      return frame.it
    case 'variable': {
      const type = frame.variables.get(root.name)
      if (type !== undefined) return type
      const hint = didYouMean(root.name, frame.variables.keys())
      report(frame, 'unknownVariable', `No lambda variable is named '${root.name}' here.${hint}`)
      return untyped
    }
    default:
      return frame.current
  }
}

/** `$root/users`: an entity set or singleton of the service. */
function resourceType(segment: PathSegment | undefined, frame: Frame): StaticType {
  const container = frame.scope.container ?? {}
  const name = segment?.kind === 'property' ? segment.name : ''
  const resource = Object.hasOwn(container, name) ? container[name] : undefined
  if (resource === undefined) {
    const hint = didYouMean(name, Object.keys(container))
    report(frame, 'unknownResource', `The service has no entity set or singleton named '${name}'.${hint}`, name)
    return untyped
  }
  const entity = { kind: 'entity', name: resource.type } as const
  return resource.kind === 'entitySet' ? { kind: 'collection', of: entity } : entity
}

function follow(segment: PathSegment, type: StaticType, path: PathExpression, frame: Frame): StaticType {
  switch (segment.kind) {
    case 'property':
      return bindProperty(segment.name, type, path, frame)
    case 'cast':
      return bindCast(segment.type, type, frame)
    case 'key':
      return bindKey(segment.values, type, path, frame)
    case 'function':
      return bindPathFunction(segment, type, frame)
    case 'filter':
      return bindFilterSegment(segment.predicate, type, path, frame)
    case 'count':
      return bindCount(segment, type, path, frame)
    case 'annotation':
      return untyped
  }
}

function bindProperty(name: string, type: StaticType, path: PathExpression, frame: Frame): StaticType {
  if (type.kind !== 'entity' && type.kind !== 'complex') {
    const hint = type.kind === 'collection' ? ` Use '/any(x:x/${name} …)'.` : ''
    const message = `'${name}' follows a value of type ${describeType(type)}, which has no properties.${hint}`
    report(frame, 'notAStructure', message, pathText(path))
    return untyped
  }
  const member = memberType(name, type.name, frame.types)
  if (member !== undefined) return member
  const message = unknownProperty(name, type.name, frame.types, frame.computed.keys())
  report(frame, 'unknownProperty', message, pathText(path))
  return untyped
}
