import { InvalidArgumentError } from 'commander'
import { languageSchema, suggest } from '../../spec/language/index.js'
import { UsageError } from '../output.js'

/** A limit of requests, for `--limit` and docs/security.md. */
interface Limit {
  readonly name: string
  readonly default: number | undefined
  readonly meaning: string
  /** Whether `limits` of a spec can contain it. */
  readonly inSpec: boolean
}

/** All limits: those of the spec language, then those of the HTTP server. */
export function allLimits(): readonly Limit[] {
  return [...specLimits(), ...serverLimits]
}

const serverLimits: readonly Limit[] = [
  ['batchRequests', 20, 'The maximum number of requests in a `$batch`. Four of them run at the same time.'],
  [
    'batchBytes',
    4_194_304,
    'The maximum number of bytes of the responses in a `$batch`. The requests after that are not run and get 503, and so do reads whose response does not fit.',
  ],
  [
    'principalRequests',
    8,
    'The maximum number of requests of one principal that run at the same time, on PostgreSQL. The others wait.',
  ],
  [
    'principalWaiting',
    200,
    'The maximum number of requests of one principal that wait; on SQLite, of its writes. Further ones get 429.',
  ],
  [
    'directCost',
    5_000,
    'The estimated cost of a read, in microseconds, up to which it runs at once. More expensive ones run in the threads of `--workers`.',
  ],
  [
    'readMilliseconds',
    10_000,
    'The maximum number of milliseconds of a read in one of these threads, and of a statement on SQLite as WebAssembly or in memory. It then gets 503.',
  ],
  [
    'waitingReads',
    100,
    'The maximum number of reads that wait for one of these threads. Beyond, the last one of the principal with the most of them gets 503.',
  ],
  [
    'replicaMilliseconds',
    100,
    'The maximum number of milliseconds that a read waits until the replica of `--read-store` has all acknowledged writes. Then the primary answers it.',
  ],
  [
    'functionItems',
    10_000,
    'The maximum number of items for which one request computes a function of `--handlers`, or which it reads for that, related items included. A request for more gets 501.',
  ],
  ['connections', 1_000, 'The maximum number of open connections. Further ones get 503 and are closed.'],
  [
    'connectionsPerAddress',
    250,
    'The maximum number of open connections from one address. Behind a proxy, set it to the number of `connections`.',
  ],
  [
    'pipelinedRequests',
    100,
    'The maximum number of requests that wait on one connection for an earlier one. The connection closes after them.',
  ],
  [
    'unsentBytes',
    67_108_864,
    'The maximum number of bytes of responses that callers have not received yet. Beyond, connections of the address with the most of them are closed.',
  ],
].map(([name, value, meaning]) => ({
  name: String(name),
  default: Number(value),
  meaning: String(meaning),
  inSpec: false,
}))

/** The limits of the spec language. Their texts are those of its JSON Schema, which end with the default. */
function specLimits(): readonly Limit[] {
  const properties = objectAt(languageSchema(), ['$defs', 'limits', 'properties'])
  return Object.entries(properties).flatMap(([name, schema]): readonly Limit[] => {
    const description = objectAt(schema, [])['description']
    if (typeof description !== 'string') return []
    const [, meaning = description, value] = /^(.*?)(?: Default: (\d+)\.)?$/s.exec(description) ?? []
    return [{ name, default: value === undefined ? undefined : Number(value), meaning, inSpec: true }]
  })
}

function objectAt(value: unknown, path: readonly string[]): Readonly<Record<string, unknown>> {
  const object = typeof value === 'object' && value !== null ? Object.fromEntries(Object.entries(value)) : {}
  const [name, ...rest] = path
  return name === undefined ? object : objectAt(object[name], rest)
}

/** Limits that the command line sets, by name. */
export type GivenLimits = Readonly<Record<string, number>>

/** `--limit filterNodes=100`, several times */
export function parseLimit(text: string, before: GivenLimits = {}): GivenLimits {
  const [, name, value = ''] = /^([A-Za-z]+)=(\d{1,15})$/.exec(text) ?? []
  if (name === undefined || Number(value) < 1) {
    throw new InvalidArgumentError('Expected the name of a limit and a whole number from 1, such as filterNodes=100.')
  }
  return { ...before, [name]: Number(value) }
}

/** @throws {UsageError} if a limit does not exist */
export function requireKnownLimits(given: GivenLimits): void {
  const names = allLimits().map(({ name }) => name)
  for (const name of Object.keys(given)) {
    if (names.includes(name)) continue
    const similar = suggest(name, names)
    const hint = similar === undefined ? `Limits: ${names.join(', ')}.` : `Did you mean ${similar}?`
    throw new UsageError(`There is no limit ${name}. ${hint}`)
  }
}

const start = '<!-- Written by `npm run docs`. -->\n'
const end = '\n<!-- End of the table. -->'

/** `docs/security.md` with the table of all limits. */
export function withLimitTable(page: string): string {
  const from = page.indexOf(start)
  const to = page.indexOf(end)
  if (from < 0 || to < from) throw new Error('docs/security.md has no place for the table of limits.')
  return `${page.slice(0, from + start.length)}\n${limitTable()}\n${page.slice(to)}`
}

function limitTable(): string {
  const rows = allLimits().map(limit => {
    const set = limit.inSpec ? 'spec, `--limit`' : '`--limit`'
    return `| \`${limit.name}\` | ${limit.default?.toLocaleString('en') ?? 'none'} | ${limit.meaning} | ${set} |`
  })
  return ['| limit | default | meaning | set in |', '|---|---|---|---|', ...rows].join('\n')
}
