import { InvalidArgumentError } from 'commander'
import { UsageError } from '../output.js'

/** The options of `conformance`. */
export interface ConformanceFlags {
  readonly spec?: string
  readonly token?: string
  readonly header?: Readonly<Record<string, string>>
  readonly allowWrites?: boolean
  readonly allowLeftovers?: boolean
  readonly allowChanges?: boolean
  readonly seed?: number
  readonly requests?: number
  readonly runs?: number
  readonly time?: number
  readonly only?: readonly string[]
  readonly skip?: readonly string[]
  readonly profile?: string
  readonly report?: readonly string[]
  readonly format?: 'pretty' | 'plain' | 'json' | 'github'
  readonly json?: true
  readonly knownFailures?: string
  readonly writeKnownFailures?: string
  readonly requireCoverage?: number
  readonly replay?: string
  readonly rate?: number
  readonly concurrency?: number
  readonly maxRows?: number
  readonly timeout?: number
  readonly journal?: string
  readonly cleanup?: string
  readonly listRules?: boolean
  readonly explain?: string
}

/** A whole number with a minimum. */
export function wholeNumber(least: number): (text: string) => number {
  return text => {
    const number = /^\d{1,9}$/.test(text) ? Number(text) : -1
    if (number >= least) return number
    throw new InvalidArgumentError(`Expected a whole number of at least ${least}.`)
  }
}

/** `--rate 5`, `--time 0.5` */
export function parsePositive(text: string): number {
  const number = /^\d{1,9}(?:\.\d{1,3})?$/.test(text) ? Number(text) : 0
  if (number > 0) return number
  throw new InvalidArgumentError('Expected a number above 0.')
}

/** `--require-coverage 80` */
export function parsePercent(text: string): number {
  const number = /^\d{1,3}(?:\.\d{1,2})?$/.test(text) ? Number(text) : -1
  if (number >= 0 && number <= 100) return number
  throw new InvalidArgumentError('Expected a percentage from 0 to 100.')
}

/** `--only filter,paging-*`, several times */
export function parseNames(text: string, before: readonly string[] = []): readonly string[] {
  const names = text
    .split(',')
    .map(name => name.trim())
    .filter(name => name !== '')
  if (names.length > 0) return [...before, ...names]
  throw new InvalidArgumentError('Expected names of rules or areas, separated by commas.')
}

/** `--header "X-Tenant: a"`, several times. @throws {UsageError} which does not repeat the value, as commander would */
export function parseHeader(
  text: string,
  before: Readonly<Record<string, string>> = {},
): Readonly<Record<string, string>> {
  const [, name, value] = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \t]*([\t\x20-\x7e]*)$/.exec(text) ?? []
  if (name !== undefined && value !== undefined) return { ...before, [name]: value.trimEnd() }
  throw new UsageError('The value of --header is not a header (and is not shown here). Use "Name: value", in ASCII.')
}

/** `--report FILE`, several times */
export function parseReport(text: string, before: readonly string[] = []): readonly string[] {
  if (/\.(?:html|xml|json|sarif|txt)$/i.test(text)) return [...before, text]
  throw new InvalidArgumentError('The file extension selects the format: .html, .xml (JUnit), .json, .sarif or .txt.')
}
