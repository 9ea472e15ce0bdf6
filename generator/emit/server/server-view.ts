/** What `templates/server.hbs` shows. */
export interface ServerView {
  readonly header: string
  readonly imports: readonly string[]
  readonly create: string
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
  /** The interface of its call. */
  readonly call: string
  readonly answer: string
  /** ` extends Call<…>`, or the same on a line of its own. */
  readonly extends: string
  readonly members: readonly { readonly name: string; readonly type: string }[]
}

/** An item as handlers return it: an interface when it has relations, else the type behind the equals sign. */
export interface RowView {
  readonly docs: readonly string[]
  readonly name: string
  readonly alias: string
  readonly base: string
  readonly relations: readonly { readonly name: string; readonly type: string }[]
}
