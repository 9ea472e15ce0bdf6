import type { LogFormat } from '../../reference/operation/log-format.js'

/** What the command line of `serve` says. */
export interface ServeFlags {
  readonly port: number
  readonly host: string
  readonly store?: string
  readonly data?: string
  readonly token?: string
  readonly principal?: string
  readonly secret?: string
  readonly jwks?: URL
  readonly issuer?: string
  readonly audience?: string
  readonly log?: LogFormat
  readonly cors?: readonly string[]
  readonly throttle?: number
  /** Seconds. */
  readonly statementTimeout?: number
  readonly publicUrl?: string
  readonly json?: true
  /** `--page`, `--no-page`; undefined: neither. */
  readonly page?: boolean
}
