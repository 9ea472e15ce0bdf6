/** What is used of `IncomingMessage`; spelt out, so that the runtime stands on Web standards alone. */
export interface NodeRequest {
  readonly method?: string | undefined
  readonly url?: string | undefined
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  on(event: 'data', listener: (chunk: Uint8Array) => void): unknown
  on(event: 'end' | 'close' | 'error', listener: () => void): unknown
}

/** What is used of `ServerResponse`. */
export interface NodeResponse {
  statusCode: number
  readonly destroyed: boolean
  readonly writableFinished: boolean
  setHeader(name: string, value: string): unknown
  end(body?: string | Uint8Array): unknown
  destroy(): unknown
  on(event: 'close', listener: () => void): unknown
}
