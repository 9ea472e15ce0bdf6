/** A response before it is handed to any server. For a HEAD request it carries the body of the GET. */
export interface Outgoing {
  readonly status: number
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | ArrayBuffer | undefined
}
