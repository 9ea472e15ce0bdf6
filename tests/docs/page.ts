import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../root.js'

const opening = /^(\s*)(`{3,}|~{3,})\s*(.*)$/
const comment = /<!-- check(?: every (\w+))?: ([^\n]*?)(?:\n([\s\S]*?))?\s*-->\s*$/

/** The fenced blocks of a page, in order. Throws where one cannot be told from the text around it. */
export function codeBlocksOf(page: string): readonly CodeBlock[] {
  const fences: CodeBlock[] = []
  const defaults = new Map<string, Check>()
  const lines = readFileSync(join(root, page), 'utf8').split('\n')
  let before = ''
  for (let index = 0; index < lines.length; index++) {
    const line = lines[index] ?? ''
    const [, indent = '', marks, language = ''] = opening.exec(line) ?? []
    if (marks === undefined) {
      before += `${line}\n`
      const [, every, words, hidden = ''] = line.trim().endsWith('-->') ? (comment.exec(before) ?? []) : []
      if (every !== undefined) defaults.set(every, { words, hidden })
      continue
    }
    const end = lines.findIndex((text, at) => at > index && text.trimEnd() === indent + marks)
    if (indent !== '' || marks !== '```' || end < 0) {
      throw new Error(`${page}:${index + 1}: write a block between lines of three backticks at the margin.`)
    }
    const text = lines.slice(index + 1, end).join('\n')
    const [, every, words, hidden = ''] = comment.exec(before) ?? []
    const own = words === undefined || every !== undefined ? undefined : { words, hidden }
    const check = own ?? defaults.get(language) ?? { words: undefined, hidden: '' }
    fences.push({ page, line: index + 1, language, text, check })
    before = ''
    index = end
  }
  return fences
}

/** A fenced block of a page, and what holds it. */
export interface CodeBlock {
  /** The page, relative to the repository. */
  readonly page: string
  /** The line of its opening fence, from 1. */
  readonly line: number
  /** What stands behind the backticks; empty when nothing does. */
  readonly language: string
  readonly text: string
  readonly check: Check
}

/**
 * How a block is checked, from the comment before it, or from the page's own rule for the language:
 *
 *     <!-- check: compiles          this block
 *     <!-- check every ts: runs     all further blocks of the language on this page
 *
 * The further lines of the comment are text that completes the block and is not shown.
 */
interface Check {
  /** Its first line, without `check:`; undefined where there is no comment: the default of the language. */
  readonly words: string | undefined
  readonly hidden: string
}

/** What is done with a block to check it. */
export type CheckKind =
  /** YAML that is a sound spec, completed by the hidden text; with a name, code is generated from it for the page's snippets. */
  | { readonly kind: 'spec'; readonly name: string | undefined }
  /** YAML that is a sound spec together with all other parts on the page. */
  | { readonly kind: 'part' }
  /** A file that the page's commands find. */
  | { readonly kind: 'file'; readonly path: string }
  /** A file of the page's project, whole. */
  | { readonly kind: 'writes'; readonly path: string }
  /** What is done to a file of the page's project: lines that are there, and lines to add and to take away. */
  | { readonly kind: 'changes'; readonly path: string }
  /** TypeScript that compiles, behind the hidden text; that runs, too, and has the results that it tells. */
  | { readonly kind: 'compiles' }
  | { readonly kind: 'runs' }
  /** Commands, and how the last of them ends. */
  | { readonly kind: 'commands'; readonly exit: number }
  /** A command that serves until it is told to stop, and then ends well. */
  | { readonly kind: 'serves' }
  /** A command that serves while what follows on the page is done, until another does. */
  | { readonly kind: 'serves on' }
  /** What the commands before print; where it is elided, `…` stands for any text, on a line of its own for any lines. */
  | { readonly kind: 'output'; readonly elided: boolean }
  /** A drawing: nothing in it can be run. */
  | { readonly kind: 'drawing' }
  /** What is said of the page's spec when one text in it is replaced by another. */
  | { readonly kind: 'diagnostics'; readonly found: string; readonly replacement: string }

const directives: readonly {
  readonly languages: readonly string[]
  readonly pattern: RegExp
  readonly read: (match: readonly (string | undefined)[]) => CheckKind
}[] = [
  { languages: ['yaml'], pattern: /^(?:spec(?: (\w+))?)?$/, read: ([, name]) => ({ kind: 'spec', name }) },
  { languages: ['yaml'], pattern: /^part of the page's spec$/, read: () => ({ kind: 'part' }) },
  { languages: ['yaml', 'ts'], pattern: /^file (\S+)$/, read: ([, path = '']) => ({ kind: 'file', path }) },
  {
    languages: ['ts', 'json'],
    pattern: /^writes (\S+)$/,
    read: ([, path = '']) => ({ kind: 'writes', path }),
  },
  { languages: ['diff'], pattern: /^changes (\S+)$/, read: ([, path = '']) => ({ kind: 'changes', path }) },
  { languages: ['ts'], pattern: /^compiles$/, read: () => ({ kind: 'compiles' }) },
  { languages: ['ts'], pattern: /^(?:runs)?$/, read: () => ({ kind: 'runs' }) },
  {
    languages: ['sh'],
    pattern: /^(?:exits (\d+))?$/,
    read: ([, exit = '0']) => ({ kind: 'commands', exit: Number(exit) }),
  },
  { languages: ['sh'], pattern: /^serves$/, read: () => ({ kind: 'serves' }) },
  { languages: ['sh'], pattern: /^serves on$/, read: () => ({ kind: 'serves on' }) },
  {
    languages: ['', 'text', 'diff', 'json'],
    pattern: /^output(, … for anything)?$/,
    read: ([, elided]) => ({ kind: 'output', elided: elided !== undefined }),
  },
  { languages: [''], pattern: /^none, a drawing$/, read: () => ({ kind: 'drawing' }) },
  {
    languages: [''],
    pattern: /^said when `([^`]+)` is `([^`]+)`$/,
    read: ([, found = '', replacement = '']) => ({ kind: 'diagnostics', found, replacement }),
  },
]

/** How a block is checked. Throws for one that nothing checks. */
export function checkKindOf({ page, line, language, check }: CodeBlock): CheckKind {
  for (const { languages, pattern, read } of directives) {
    const match = languages.includes(language) ? pattern.exec(check.words ?? '') : null
    if (match !== null) return read(match)
  }
  throw new Error(`${page}:${line}: nothing checks a block of "${language}" by "${check.words ?? ''}"; see kind.ts.`)
}
