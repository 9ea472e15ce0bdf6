import type { Json } from '../../../json.js'

/** An answer before it becomes HTTP. With `text` the body is that, whatever `json` says. */
export interface Reply {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly json?: Json
  readonly text?: string
}

/** An answer without a body. */
export function bare(status: number, headers: Reply['headers'] = {}): Reply {
  return { status, headers }
}
