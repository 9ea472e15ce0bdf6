/** One operation: how the client calls it, what the handler must be asked, what it answers, what the client must get. */
export interface OperationCase<Client> {
  readonly operation: string
  readonly use: (client: Client) => PromiseLike<unknown>
  /** Members of the handler's call. */
  readonly asks: Readonly<Record<string, unknown>>
  readonly answers: unknown
  readonly gives: unknown
}
