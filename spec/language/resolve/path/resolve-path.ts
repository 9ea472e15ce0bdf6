import type { PathKey, ResolvedSegment } from '../../model/endpoint.js'
import type { TemplateSegment } from './path-template.js'
import type { PathElements, PathFault, PathTarget, PathWalk } from './path-walk.js'
import { takeCount } from './take-count.js'
import { takeFirst } from './take-first.js'
import { takeKey } from './take-key.js'
import { takeName } from './take-name.js'

/** What a path stands for. */
export interface ResolvedPath {
  readonly segments: readonly ResolvedSegment[]
  readonly keys: readonly PathKey[]
  readonly target: PathTarget
}

/**
 * Follows a path from the container on: entity sets and singletons, keys, relations, complex properties, casts,
 * operations, `$count`, `delta`.
 */
export function resolvePath(template: readonly TemplateSegment[], elements: PathElements): ResolvedPath | PathFault {
  const walk: PathWalk = {
    elements,
    segments: [],
    keys: [],
    variables: new Set(),
    position: undefined,
    target: undefined,
  }
  for (const [index, segment] of template.entries()) {
    const fault = take(walk, segment, index === template.length - 1)
    if (fault) return fault
  }
  const target = targetOf(walk)
  return target === undefined ? { message: 'The path is empty.' } : { segments: walk.segments, keys: walk.keys, target }
}

function take(walk: PathWalk, segment: TemplateSegment, isLast: boolean): PathFault | undefined {
  if (walk.target) return { message: `Nothing can follow ${describeEnd(walk.target)}.` }
  switch (segment.kind) {
    case 'variable':
      return takeKey(walk, { kind: 'single', variable: segment.variable }, 'segment')
    case 'count':
      return takeCount(walk)
    case 'name':
      return walk.position === undefined
        ? takeFirst(walk, segment.name, segment.arguments)
        : takeName(walk, walk.position, segment, isLast)
  }
}

function targetOf({ segments, position, target }: PathWalk): PathTarget | undefined {
  if (target !== undefined || position === undefined) return target
  const last = segments.at(-1)
  if (last?.kind === 'operation') return { kind: 'operation', operation: last.operation }
  const { type, collection } = position
  if (type.kind !== 'entityType') return { kind: 'value', type, collection }
  return { kind: collection ? 'items' : 'item', type }
}

function describeEnd(target: PathTarget): string {
  if (target.kind === 'operation') return `the operation "${target.operation.name}", which is not composable`
  return target.kind === 'count' ? '`$count`' : '`delta`'
}
