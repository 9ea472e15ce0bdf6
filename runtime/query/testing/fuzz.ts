import { evaluate } from '../evaluate/evaluate.js'
import { EvaluationError } from '../evaluation-error.js'
import { parseCompute } from '../parse/compute.js'
import { parseExpand } from '../parse/expand.js'
import { parseFilter } from '../parse/filter.js'
import { parseOrderby } from '../parse/orderby.js'
import { parseQueryOptions } from '../parse/query-options.js'
import { parseSearch } from '../parse/search.js'
import { parseSelect } from '../parse/select.js'
import { printCompute } from '../print/compute.js'
import { printExpand } from '../print/expand.js'
import { printFilter } from '../print/filter.js'
import { printOrderby } from '../print/orderby.js'
import { printQueryOptions } from '../print/query-options.js'
import { printSearch } from '../print/search.js'
import { printSelect } from '../print/select.js'
import { PrintError } from '../print-error.js'
import { QuerySyntaxError } from '../query-syntax-error.js'
import { mutatedText, randomIntegers } from './text-mutation.js'

/** What the query language did with an input that it should not have done. */
export interface FuzzFinding {
  readonly text: string
  readonly problem: string
}

export interface FuzzReport {
  readonly read: number
  readonly refused: number
  readonly findings: readonly FuzzFinding[]
}

interface Language {
  /** Reads the text and prints what was read; `evaluate` tries the value as well. */
  readonly rewrite: (text: string) => string
}

const languages: readonly Language[] = [
  { rewrite: text => rewriteFilter(text) },
  { rewrite: text => rewriteFilter(text) },
  { rewrite: text => printOrderby(parseOrderby(text)) },
  { rewrite: text => printSelect(parseSelect(text)) },
  { rewrite: text => printExpand(parseExpand(text)) },
  { rewrite: text => printSearch(parseSearch(text)) },
  { rewrite: text => printCompute(parseCompute(text)) },
  { rewrite: text => rewriteQuery(text) },
]

const row = { a: 1, b: 'x', tags: ['x', null], items: [{ price: 5 }], from: { emailAddress: { address: 'a@b.c' } } }

function rewriteFilter(text: string): string {
  const tree = parseFilter(text)
  try {
    evaluate(tree, row)
  } catch (error) {
    if (!(error instanceof EvaluationError)) throw error
  }
  return printFilter(tree)
}

function rewriteQuery(text: string): string {
  const { options } = parseQueryOptions(text)
  try {
    return printQueryOptions(options)
  } catch (error) {
    // Half of a surrogate pair can be written in JSON, but in no URL.
    if (error instanceof PrintError && error.message.includes('surrogate')) return ''
    throw error
  }
}

/**
 * Gives random and mutated texts to every parse function and looks for what must not be: an error other than
 * `QuerySyntaxError`, a tree that cannot be printed or evaluated without a typed error, print that is no fixed point.
 */
export function fuzz(runs: number, seed: number): FuzzReport {
  const random = randomIntegers(seed)
  const findings: FuzzFinding[] = []
  let read = 0
  for (let run = 0; run < runs; run += 1) {
    const text = mutatedText(random)
    const language = languages[random(languages.length)]
    const outcome = language === undefined ? 'refused' : tryOn(language, text)
    if (outcome === 'read') read += 1
    else if (outcome !== 'refused') findings.push({ text, problem: outcome.problem })
  }
  return { read, refused: runs - read - findings.length, findings }
}

function tryOn({ rewrite }: Language, text: string): 'read' | 'refused' | { readonly problem: string } {
  let printed: string
  try {
    printed = rewrite(text)
  } catch (error) {
    return error instanceof QuerySyntaxError ? 'refused' : { problem: String(error) }
  }
  try {
    const again = rewrite(printed)
    return again === printed ? 'read' : { problem: `printed as ${printed}, then as ${again}` }
  } catch (error) {
    return { problem: `printed as ${printed}, which fails: ${String(error)}` }
  }
}
