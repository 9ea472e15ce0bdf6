import type { PathDocument, ResourceDocument } from '../../../spec/language/index.js'
import { record } from '../../../spec/language/resolve/record.js'
import type { ImportedElement } from '../container/import-container.js'
import { localName } from '../csdl/qualified-name.js'
import type { ImportedOperation } from '../operations/import-operations.js'
import type { ImportContext } from '../types/import-context.js'
import type { EndpointNode } from './endpoint-tree.js'
import type { QueryTable } from './query-table.js'
import type { Source } from './restrictions.js'
import type { Relation, TypeMembers } from './type-members.js'

/** What paths are derived from. */
export interface Imported {
  readonly resources: Readonly<Record<string, ResourceDocument>>
  readonly container: ReadonlyMap<string, ImportedElement>
  readonly operations: ReadonlyMap<string, ImportedOperation>
  /** Names of operation imports, and the qualified names of what they call. */
  readonly imports: ReadonlyMap<string, string>
}

/** Where a path has got to. */
export interface Position {
  readonly path: string
  readonly variables: readonly string[]
  readonly node: EndpointNode
  readonly type: string
  /** Relations from the container element on. */
  readonly trail: readonly Relation[]
  /** Restrictions of relations by path, as the container element has them. */
  readonly restricted: ReadonlyMap<string, Source>
  readonly sources: readonly Source[]
}

/** How paths write the key of one part: `/Set/{key}` or `/Set({key})`. @see OData URL Conventions 4.01, 4.3.1 and 4.3.6 */
export type KeyStyle = 'segment' | 'parentheses'

/** What paths are to be like. */
export interface PathLimits {
  /** How many relations a path may lead through. */
  readonly depth: number
  /** Paths; when there are more, the rest is left out. */
  readonly most: number
  readonly keyStyle: KeyStyle
}

export interface Derivation extends PathLimits {
  readonly context: ImportContext
  readonly members: (type: string) => TypeMembers
  readonly queries: QueryTable
  readonly paths: Map<string, PathDocument>
  readonly scopes: Set<string>
  readonly isStructured: (type: string) => boolean
  readonly endpoint: (node: EndpointNode, candidates: readonly string[]) => string
  readonly below: (node: EndpointNode, name: string) => EndpointNode
}

/** The members of a path in their order, without those that are undefined. */
export function add({ paths }: Derivation, path: string, methods: Readonly<Record<string, object | undefined>>): void {
  const given = Object.entries(methods).filter(([, method]) => method !== undefined)
  if (given.length > 0) paths.set(path, { ...paths.get(path), ...record(given) })
}

type Scoped = { readonly scopes?: readonly string[] }

export function scoped({ scopes }: Derivation, all: readonly string[]): Scoped {
  for (const scope of all) scopes.add(scope)
  return all.length === 0 ? {} : { scopes: all }
}

export const queried = (query: string | undefined): { readonly query?: string } =>
  query === undefined ? {} : { query }

/** `name`, where the endpoint cannot have the one that follows from its path. */
export function named(derivation: Derivation, { node, path }: Position, verb: string): { readonly name?: string } {
  const name = derivation.endpoint(node, [verb])
  return name === [...plainNames(path), verb].join('.') ? {} : { name }
}

/** The names in a path that endpoints get theirs from. */
export function plainNames(path: string): readonly string[] {
  return path.split('/').flatMap(part => {
    const name = part.replace(/\(.*$/, '')
    return name === '' || name.startsWith('{') ? [] : [localName(name)]
  })
}
