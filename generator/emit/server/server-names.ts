import type { NameTable } from '../../names/name-table.js'
import type { ResourceNode } from '../../names/resource-tree.js'
import { type Scope, scope } from '../../text/file-scope.js'

/** What `server.ts` calls its declarations. */
interface ServerNames {
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

/** What `templates/server.hbs` shows. */
export interface ServerView {
  readonly header: string
  readonly imports: readonly string[]
  readonly create: string
  /** What is exported of `notImplementedModule`. */
  readonly notImplemented: string
  readonly notImplementedModule: string
  /** The type parameter for what handlers are given beside the request. */
  readonly context: string
  readonly createDocs: readonly string[]
  /** The interface of all handlers. */
  readonly handlers: string
  /** Names of what is imported from the runtime. */
  readonly runtime: {
    readonly unfinished: string
    readonly service: string
    readonly createService: string
    readonly handlersByName: string
    readonly answer: string
  }
  /** The type of the options that the service needs. */
  readonly options: string
  readonly serviceTable: string
  /** The interface of all handlers, then one a resource. */
  readonly groups: readonly HandlerGroupView[]
  readonly shapes: readonly CallShapeView[]
  readonly rows: readonly RowView[]
}

export interface HandlerGroupView {
  readonly docs: readonly string[]
  readonly name: string
  readonly handlers: readonly HandlerView[]
  readonly groups: readonly { readonly name: string; readonly type: string }[]
}

export interface HandlerView {
  readonly docs: readonly string[]
  readonly name: string
  readonly call: CallView
  readonly answer: string
}

/** The type of the call of one handler. */
export interface CallView {
  readonly name: string
  /** What it has in common with others, ` Call<…>`, as it stands behind the equals sign. */
  readonly type: string
  readonly members: readonly { readonly name: string; readonly type: string }[]
}

/** What the calls of several handlers hold. */
export interface CallShapeView {
  /** Its name, its type parameters, what it extends, and the brace that opens it. */
  readonly head: string
  readonly members: readonly { readonly name: string; readonly type: string }[]
}

/** An item as handlers return it. */
export interface RowView {
  readonly docs: readonly string[]
  readonly name: string
  /** All but its relations, with the space or line break that stands before it. */
  readonly base: string
  readonly relations: readonly { readonly name: string; readonly type: string }[]
}
