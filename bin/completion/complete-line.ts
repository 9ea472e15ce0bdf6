import { join } from 'node:path'
import type { Argument, Command, Option } from 'commander'
import { artefactNames } from '../../generator/index.js'
import type { Service } from '../../spec/language/index.js'
import { packageRoot } from '../package-root.js'

/**
 * Completes the end of a command line. The candidates come from the declared commands and options.
 *
 * @param line the line up to the cursor, with the name of the program
 */
export async function completeLine(program: Command, line: string): Promise<Completions> {
  const { before, current } = splitLine(line)
  const { command, words, open } = parseWords(program, before.slice(1))
  if (open !== undefined) return offer(valueSourceOf(open), '', current, words)
  const [, flag = '', typed = ''] = /^(--[^=]+)=(.*)$/s.exec(current) ?? []
  const assigned = flag === '' ? undefined : findOption(command, flag)
  if (assigned !== undefined) return offer(valueSourceOf(assigned), `${flag}=`, typed, words)
  if (current.startsWith('-')) return { prefix: '', candidates: fitting(optionsOf(command), current) }
  if (command.commands.length > 0 && words.values.length === 0) {
    return { prefix: '', candidates: fitting(commandsOf(command), current) }
  }
  const next = argumentAt(command, words.values.length)
  return next === undefined ? { prefix: '', candidates: [] } : offer(valueSourceOf(next), '', current, words)
}

/** The part of a line about one command. */
interface ParsedLine {
  readonly command: Command
  readonly words: LineContext & { readonly values: readonly string[] }
  /** The option whose value comes next. */
  readonly open: Option | undefined
}

function parseWords(program: Command, before: readonly string[]): ParsedLine {
  let command = program
  let open: Option | undefined
  let spec: string | undefined
  let values: string[] = []
  for (const word of before) {
    if (open !== undefined) {
      if (placeholderOf(open) === 'spec') spec = word
      open = undefined
    } else if (word.startsWith('-')) {
      const option = findOption(command, word)
      open = option?.required === true ? option : undefined
    } else {
      const child = values.length === 0 ? command.commands.find(each => each.name() === word) : undefined
      if (child === undefined) {
        const argument = argumentAt(command, values.length)
        if (argument?.name() === 'spec') spec = word
        values.push(word)
      } else {
        command = child
        values = []
      }
    }
  }
  // `specwright help generate`: the only value of help is a command.
  if (command === program && values.length === 1 && values[0] === 'help') values = []
  return { command, words: { spec, values }, open }
}

const findOption = (command: Command, flag: string): Option | undefined =>
  command.options.find(({ short, long }) => flag === short || flag === long)

function argumentAt(command: Command, index: number): Argument | undefined {
  const last = command.registeredArguments.at(-1)
  return command.registeredArguments[index] ?? (last?.variadic === true ? last : undefined)
}

const optionsOf = (command: Command): readonly Candidate[] =>
  command
    .createHelp()
    .visibleOptions(command)
    .map(({ long, flags, description }) => ({ text: long ?? flags, about: description }))

const commandsOf = (command: Command): readonly Candidate[] =>
  command
    .createHelp()
    .visibleCommands(command)
    .map(each => ({ text: each.name(), about: each.summary() || each.description() }))

const fitting = (candidates: readonly Candidate[], typed: string): readonly Candidate[] =>
  candidates.filter(({ text }) => text.startsWith(typed))

const asCandidates = (words: readonly string[], open?: boolean): readonly Candidate[] =>
  words.map(text => (open === true ? { text, open } : { text }))

async function offer(
  value: ValueSource | undefined,
  before: string,
  typed: string,
  named: LineContext,
): Promise<Completions> {
  switch (value?.kind) {
    case 'words':
      return { prefix: before, candidates: fitting(asCandidates(await value.words(named)), typed) }
    case 'paths':
      return { prefix: before, candidates: fitting(asCandidates(value.words ?? []), typed), paths: value.paths }
    case 'list': {
      const [done, last] = cutBehind(typed, ',')
      const taken = done.split(',')
      const left = (await value.words(named)).filter(word => !taken.includes(word))
      return { prefix: before + done, candidates: fitting(asCandidates(left), last) }
    }
    case 'rows': {
      const [done, last] = cutBehind(typed, ',')
      if (done === '' || last.includes('=')) return { prefix: before + done, candidates: [] }
      const names = (await value.words(named)).map(name => `${name}=`)
      return { prefix: before + done, candidates: fitting(asCandidates(names, true), last) }
    }
    case 'store': {
      const file = /^sqlite:(?!:)/.exec(typed)?.[0]
      if (file !== undefined && typed !== file) {
        return { prefix: before + file, candidates: [], paths: { kind: 'files', endings: [] } }
      }
      const kinds: readonly Candidate[] = [
        { text: 'sqlite:', about: 'a file', open: true },
        { text: 'sqlite::memory:', about: 'gone with the process' },
        { text: 'postgres://', about: 'a database', open: true },
      ]
      return { prefix: before, candidates: fitting(kinds, typed) }
    }
    default:
      return { prefix: before, candidates: [] }
  }
}

/** `types,cl` as `types,` and `cl`. */
function cutBehind(text: string, mark: string): readonly [done: string, last: string] {
  const at = text.lastIndexOf(mark) + 1
  return [text.slice(0, at), text.slice(at)]
}

/** A command line up to the cursor: the words before it, and the incomplete word. */
interface SplitLine {
  readonly before: readonly string[]
  /** Empty after a blank. */
  readonly current: string
}

/** Splits a command line as POSIX shells do, with quotes and backslashes. Expands nothing. */
function splitLine(line: string): SplitLine {
  const before: string[] = []
  let current = ''
  let quote = ''
  let isWord = false
  for (let index = 0; index < line.length; index++) {
    const character = line[index] ?? ''
    if (quote !== '' && character === quote) quote = ''
    else if (quote === "'") current += character
    else if (character === '\\' && index + 1 < line.length) {
      index++
      current += line[index] ?? ''
    } else if (quote === '' && (character === '"' || character === "'")) quote = character
    else if (quote === '' && /\s/.test(character)) {
      if (isWord) before.push(current)
      current = ''
      isWord = false
      continue
    } else current += character
    isWord = true
  }
  return { before, current }
}

/**
 * Completions in the format that the shell scripts read. The first line states which paths fit, whether a blank may follow,
 * the prefix of the word and the extensions that fit. Each further line has a word, a tab and its description.
 *
 *     files blank --spec= yaml yml
 *     folders blank -
 *     none open -
 */
export function formatForShell({ prefix, candidates, paths }: Completions): string {
  const follows = candidates.some(({ open }) => open === true) ? 'open' : 'blank'
  const endings = paths?.kind === 'files' ? paths.endings : []
  const head = [paths?.kind ?? 'none', follows, prefix === '' ? '-' : prefix, ...endings].join(' ')
  const lines = candidates.map(({ text, about }) => `${prefix}${text}${about === undefined ? '' : `\t${about}`}`)
  return [head, ...lines].join('\n')
}

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
      'name=new',
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
