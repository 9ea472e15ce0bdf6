/** What is used of `IncomingMessage`; spelt out, so that the runtime stands on Web standards alone. */
export interface NodeRequest {
  readonly method?: string | undefined
  readonly url?: string | undefined
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  /** The whole address, where a framework takes the prefix off `url` that it has routed by. */
  readonly originalUrl?: string | undefined
  /** Whether the body has been read to its end, by whatever came first. */
  readonly readableEnded?: boolean | undefined
  /** Whether nothing comes any more, read to its end or not. */
  readonly destroyed?: boolean | undefined
  /** What a parser of bodies that came first has made of it. */
  readonly body?: unknown
  on(event: 'data', listener: (chunk: Uint8Array) => void): unknown
  on(event: 'end' | 'close' | 'error', listener: () => void): unknown
}

/** What is used of `ServerResponse`. */
export interface NodeResponse {
  readonly destroyed: boolean
  readonly writableFinished: boolean
  writeHead(status: number, headers: Record<string, string>): unknown
  end(): unknown
  end(body: Uint8Array): unknown
  /** Text whose characters are bytes. */
  end(body: string, encoding: 'latin1'): unknown
  destroy(): unknown
  on(event: 'close', listener: () => void): unknown
}
