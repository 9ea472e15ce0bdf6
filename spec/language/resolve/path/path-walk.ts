import type { PathKey, ResolvedSegment } from '../../model/endpoint.js'
import type { Operation } from '../../model/operation.js'
import type { ContainerElement } from '../../model/service.js'
import type { EntityType, ValueType } from '../../model/types.js'
import type { QualifiedNames } from './qualified-names.js'

/** What paths are made of. */
export interface PathElements {
  readonly container: ReadonlyMap<string, ContainerElement>
  readonly operations: ReadonlyMap<string, Operation>
  readonly qualified: QualifiedNames
}

/** What is at the end of a path. */
export type PathTarget =
  | { readonly kind: 'items' | 'item'; readonly type: EntityType }
  | { readonly kind: 'value'; readonly type: ValueType; readonly collection: boolean }
  | { readonly kind: 'count' | 'delta'; readonly type: EntityType }
  | { readonly kind: 'operation'; readonly operation: Operation }

/** Why a path resolves to nothing. */
export interface PathFault {
  readonly message: string
  readonly suggestion?: string | undefined
  /** What is missing would be declared here: pointers. */
  readonly missing?: readonly string[]
}

/** Where a path has got to. */
export interface Position {
  readonly type: ValueType
  readonly collection: boolean
  /** The entity set or singleton whose bindings hold. */
  readonly source: ContainerElement | undefined
  /** From `source` on, through complex values. */
  readonly bindingPath: string
}

/** The walk along one path, moved on by the functions that take its segments. */
export interface PathWalk {
  readonly elements: PathElements
  readonly segments: ResolvedSegment[]
  readonly keys: PathKey[]
  /** The template variables so far. */
  readonly variables: Set<string>
  /** Absent before the first segment. */
  position: Position | undefined
  /** Present when nothing can follow. */
  target: PathTarget | undefined
}

/** Takes down a template variable; each has a name of its own. */
export function takeVariable(walk: PathWalk, variable: string): PathFault | undefined {
  if (walk.variables.has(variable)) {
    return { message: `"{${variable}}" stands twice in the path; give each key and parameter a name of its own.` }
  }
  walk.variables.add(variable)
  return undefined
}
