import type { NameTable } from '../../names/name-table.js'
import type { ResourceNode } from '../../names/resource-node.js'
import { type Scope, scope } from '../../text/scope.js'

/** What `server.ts` calls its declarations. */
export interface ServerNames {
  readonly scope: Scope
  readonly create: string
  /** The handler of what is not written yet. */
  readonly notImplemented: string
  /** The type parameter for what handlers are given beside the request. */
  readonly context: string
  /** The interface of a resource's handlers; of the service itself: of all handlers. */
  handlersOf(node: ResourceNode): string
}

/** Names of the arguments of the file's function. */
const locals = ['handlers', 'options', 'undefined']

/** @param typeNames what `types.ts` exports: it keeps its names here */
export function serverNames(names: NameTable, typeNames: Iterable<string>): ServerNames {
  const declared = scope([...typeNames, ...locals])
  const context = declared.claim('Context', '_')
  const create = declared.claim(`create${names.service}`, '_')
  const notImplemented = declared.claim('notImplemented', '_')
  const handlers = new Map<ResourceNode, string>()
  const name = (node: ResourceNode): void => {
    handlers.set(node, declared.claim(`${node.identifier}Handlers`, '_'))
    for (const child of node.children) name(child)
  }
  name(names.resources)
  return {
    scope: declared,
    create,
    notImplemented,
    context,
    handlersOf: node => {
      const found = handlers.get(node)
      if (found === undefined) throw new Error(`the resource ${node.names.join('.')} has no name`)
      return found
    },
  }
}
