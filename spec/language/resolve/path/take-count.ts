import type { PathFault, PathWalk } from './path-walk.js'

/** Takes `$count`. @see OData URL Conventions 4.01, 4.8 */
export function takeCount(walk: PathWalk): PathFault | undefined {
  const { position } = walk
  if (position?.type.kind !== 'entityType' || !position.collection) {
    return { message: '`$count` must follow a collection of items.' }
  }
  walk.segments.push({ kind: 'count' })
  walk.target = { kind: 'count', type: position.type }
  return undefined
}
