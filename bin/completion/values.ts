import { join } from 'node:path'
import type { Argument, Option } from 'commander'
import { artefactNames } from '../../generator/index.js'
import type { Service } from '../../spec/language/index.js'
import { packageRoot } from '../package-root.js'

/** The profiles of the spec on the line. */
async function profileNames(named: LineContext): Promise<readonly string[]> {
  return (await serviceOf(named))?.profiles.map(({ name }) => name) ?? []
}

/** The names that `seed --rows` accepts for the spec on the line. */
async function seededNames(named: LineContext): Promise<readonly string[]> {
  const service = await serviceOf(named)
  if (service === undefined) return []
  const { rowCountNames } = await import('../../reference/index.js')
  return rowCountNames(service)
}

/** Undefined for a spec that is missing or has errors. */
async function serviceOf({ spec }: LineContext): Promise<Service | undefined> {
  const { loadSpec } = await import('../../spec/language/index.js')
  return (await loadSpec(spec ?? join(packageRoot(), 'spec', 'directory.yaml'))).service
}

/**
 * The possible values of an argument or option, by its choices or by its placeholder in the help: `--out <folder>`.
 * Undefined for an unknown placeholder.
 */
export function valueSourceOf(of: Option | Argument): ValueSource | undefined {
  const { argChoices } = of
  if (argChoices !== undefined) return { kind: 'words', words: () => argChoices }
  return Object.hasOwn(values, placeholderOf(of)) ? values[placeholderOf(of)] : undefined
}

/** `folder` of `--out <folder>`, `spec` of `[spec...]`. */
export function placeholderOf(of: Option | Argument): string {
  if ('flags' in of) return /[<[]([^\]>.]+)/.exec(of.flags)?.[1] ?? ''
  return of.name()
}

const free: ValueSource = { kind: 'free' }

const files = (...endings: readonly string[]): ValueSource => ({ kind: 'paths', paths: { kind: 'files', endings } })

const folders: ValueSource = { kind: 'paths', paths: { kind: 'folders' } }

const ruleNames = async (): Promise<readonly string[]> =>
  (await import('../../conformance/index.js')).rules.map(({ id }) => id)

const rulesAndAreas = async (): Promise<readonly string[]> => {
  const { areas } = await import('../../conformance/index.js')
  return [...areas, ...(await ruleNames())]
}

const values: Readonly<Record<string, ValueSource>> = {
  address: { kind: 'store' },
  artefacts: { kind: 'list', words: () => artefactNames },
  data: { kind: 'paths', paths: { kind: 'files', endings: ['yaml', 'yml', 'json', 'jsonl'] }, words: ['none'] },
  file: files(),
  folder: folders,
  journal: files('jsonl'),
  metadata: { kind: 'paths', paths: { kind: 'files', endings: ['xml', 'json'] }, words: ['-'] },
  numbers: { kind: 'rows', words: seededNames },
  path: folders,
  profile: { kind: 'words', words: profileNames },
  report: files('html', 'xml', 'json', 'sarif', 'txt'),
  rule: { kind: 'words', words: ruleNames },
  rules: { kind: 'list', words: rulesAndAreas },
  spec: files('yaml', 'yml'),
  ...Object.fromEntries(
    [
      'header',
      'host',
      'id',
      'limit',
      'line',
      'name',
      'number',
      'origin',
      'rate',
      'secret',
      'seconds',
      'text',
      'token',
      'url',
    ].map(name => [name, free]),
  ),
}

/** The possible values of an argument or option. */
export type ValueSource =
  /** Only the user knows it: a number, a token, a name. */
  | { readonly kind: 'free' }
  | { readonly kind: 'paths'; readonly paths: Paths; readonly words?: readonly string[] }
  /** One of these. */
  | { readonly kind: 'words'; readonly words: WordSource }
  /** Some of these, with commas between them. */
  | { readonly kind: 'list'; readonly words: WordSource }
  /** A number, then exceptions for parts of a service: `20,lists=5`. */
  | { readonly kind: 'rows'; readonly words: WordSource }
  | { readonly kind: 'store' }

/** Names that depend on the rest of the line. */
type WordSource = (named: LineContext) => Promise<readonly string[]> | readonly string[]

/** What completions depend on in the rest of a line. */
export interface LineContext {
  /** The spec that a command reads, as the user wrote it. */
  readonly spec: string | undefined
}

/** One candidate for the end of a command line. */
export interface Candidate {
  readonly text: string
  /** A short description. */
  readonly about?: string
  /** More of the same word follows: a shell must not end it with a blank. */
  readonly open?: boolean
}

/** The kind of files or folders that fit. The shell completes them itself. */
type Paths =
  | { readonly kind: 'folders' }
  /** The extensions of files that fit, without dots; empty: all files. */
  | { readonly kind: 'files'; readonly endings: readonly string[] }

/** The completions of the end of a command line. */
export interface Completions {
  /** The prefix of the last word before its value, `--only=types,`. Candidates begin with it. */
  readonly prefix: string
  readonly candidates: readonly Candidate[]
  readonly paths?: Paths
}
