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
  /** The type of its call. */
  readonly call: string
  readonly answer: string
  /** What its call has in common with others, ` Call<…>`, as it stands behind the equals sign. */
  readonly base: string
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
