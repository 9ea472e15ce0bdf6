import type { NameTable } from '../../names/name-table.js'
import type { ResourceNode } from '../../names/resource-tree.js'
import { type Scope, scope } from '../../text/file-scope.js'

/** What `server.ts` calls its declarations. */
export interface ServerNames {
  readonly scope: Scope
  readonly create: string
  /** The handler of operations without a handler. */
  readonly notImplemented: string
  /** The type parameter for what handlers get beside the request. */
  readonly context: string
  /** The interface of a resource's handlers; for the service itself, the interface of all handlers. */
  handlersOf(node: ResourceNode): string
}

/** Names of the arguments of the file's function. */
const locals = ['handlers', 'options', 'undefined']

/** @param typeNames what `types.ts` exports; these names stay free for it */
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
