import { InvalidArgumentError } from 'commander'
import type { LogFormat } from '../../reference/index.js'
import { UsageError } from '../output.js'
import type { GivenLimits } from './limits.js'

/** The options of `serve`. */
export interface ServeFlags {
  readonly port: number
  readonly host: string
  readonly store?: string
  readonly readStore?: string
  readonly data?: string
  readonly handlers?: string
  readonly token?: string
  readonly principal?: string
  readonly secret?: string
  readonly jwks?: URL
  readonly issuer?: string
  readonly audience?: string
  readonly log?: LogFormat
  readonly cors?: readonly string[]
  readonly throttle?: number
  readonly limit?: GivenLimits
  /** Seconds. */
  readonly statementTimeout?: number
  /** Threads that answer expensive reads. */
  readonly workers?: number
  readonly publicUrl?: string
  readonly allowedHost?: readonly string[]
  readonly metrics?: true
  readonly json?: true
  /** `--page`, `--no-page`; undefined: neither. */
  readonly page?: boolean
}

/** `--port 8080` */
export function parsePort(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : -1
  if (port >= 0 && port <= 65_535) return port
  throw new InvalidArgumentError('A port is a number from 0 to 65535. 0 takes any free port.')
}

/** `--throttle 50` */
export function parseRate(text: string): number {
  const rate = /^\d{1,6}(?:\.\d{1,3})?$/.test(text) ? Number(text) : 0
  if (rate > 0) return rate
  throw new InvalidArgumentError('Expected the number of requests per second for each principal, such as 50 or 0.5.')
}

/** `--statement-timeout 30` */
export function parseSeconds(text: string): number {
  const seconds = /^\d{1,6}(?:\.\d{1,3})?$/.test(text) ? Number(text) : -1
  if (seconds >= 0) return seconds
  throw new InvalidArgumentError(
    'Expected a number of seconds, such as 30 or 0.5. 0: no limit but that of the database.',
  )
}

/** The most threads: each has connections and a heap of its own. */
const maxWorkers = 64

/** `--workers 2` */
export function parseWorkers(text: string): number {
  const count = /^\d{1,2}$/.test(text) ? Number(text) : -1
  if (count >= 0 && count <= maxWorkers) return count
  throw new InvalidArgumentError(
    `Expected a number of threads from 0 to ${maxWorkers}. 0: no thread besides the main one.`,
  )
}

/** The threads by default: one core is left for the main thread. */
export function defaultWorkers(cores: number): number {
  return Math.min(4, Math.max(1, cores - 1))
}

/** `--jwks https://issuer.example/keys` */
export function parseKeySetUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopback(url.hostname))) return url
  throw new InvalidArgumentError('Expected an https URL: anyone who can alter the keys in transit can forge tokens.')
}

/** `--cors https://app.example`, several times */
export function parseOrigins(text: string, before: readonly string[] = []): readonly string[] {
  if (text === '*') return [...before, text]
  if (URL.canParse(text) && new URL(text).origin === text) return [...before, text]
  throw new InvalidArgumentError(
    'Expected an origin (scheme, host and optional port, such as https://app.example) or *.',
  )
}

/** `--public-url https://api.example.com/v1.0` */
export function parsePublicUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  const sound = url !== undefined && /^https?:$/.test(url.protocol) && url.search === '' && url.hash === ''
  if (sound) return text.replace(/\/$/, '')
  throw new InvalidArgumentError(
    'Expected the address of the service as callers know it, https://api.example.com/v1.0.',
  )
}

/** `--allowed-host api.example.com`, several times */
export function parseAllowedHost(text: string, before: readonly string[] = []): readonly string[] {
  if (/^[\w.:[\]-]+$/.test(text) && URL.canParse(`http://${text}`)) return [...before, text]
  throw new InvalidArgumentError('Expected the name of a host as callers write it, such as api.example.com.')
}

/** `--token T` @see RFC 6750, 2.1 @throws {UsageError} which does not repeat the value, as commander would */
export function parseToken(text: string): string {
  if (/^[A-Za-z0-9\-._~+/]{1,4096}=*$/.test(text)) return text
  throw new UsageError(
    'The value is not a bearer token (and is not shown here). Use letters, digits and - . _ ~ + /, with = only at the end.',
  )
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '127.0.0.1' || host === '[::1]'
}
