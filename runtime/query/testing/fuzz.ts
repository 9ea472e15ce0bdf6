import { QuerySyntaxError } from '../cursor.js'
import { evaluate } from '../evaluate/evaluate.js'
import { EvaluationError } from '../evaluate/value.js'
import { parseFilter } from '../expressions.js'
import { parseCompute, parseExpand, parseOrderby, parseSelect } from '../options.js'
import { PrintError, printSearch } from '../print-context.js'
import { printFilter } from '../print-expression.js'
import { printCompute, printExpand, printOrderby, printQueryOptions, printSelect } from '../print-options.js'
import { parseQueryOptions } from '../query-string.js'
import { parseSearch } from '../search.js'
import { filters } from './filter-corpus.js'

interface FuzzFinding {
  readonly text: string
  readonly problem: string
}

interface FuzzReport {
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
 * Passes random and mutated texts to every parse function and looks for bugs: an error other than `QuerySyntaxError`, a tree
 * whose printing or evaluation throws an untyped error, or printing that is not a fixed point.
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

/** A source of random integers below a bound that gives the same ones for the same seed (mulberry32). */
function randomIntegers(seed: number): (below: number) => number {
  let state = seed | 0
  return below => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * below)
  }
}

const fragments: readonly string[] = [
  ...[
    "'",
    "''",
    '"',
    '(',
    ')',
    '[',
    ']',
    '{',
    '}',
    ',',
    ';',
    ':',
    '/',
    '@',
    '$',
    '#',
    '=',
    '&',
    '%',
    '%2',
    '%zz',
    '%C3',
    '+',
    '-',
    '.',
    '\\',
    '\\u',
    '*',
  ],
  ...[
    ' ',
    '\t',
    '\n',
    '\0',
    '\u00a0',
    'é',
    '😀',
    '\ud800',
    '\udc00',
    'x',
    '_',
    '0',
    '9',
    '1e',
    '1.',
    'INF',
    '-INF',
    'NaN',
    'null',
    'true',
    'not',
    'not ',
    '-',
  ],
  ...[
    ' eq ',
    ' and ',
    ' or ',
    ' in ',
    ' in (',
    ' has ',
    ' add ',
    ' asc',
    ' desc',
    ' as ',
    '/any(',
    '/all(',
    'x:',
    '/$count',
    '/$filter(',
    '$it',
    '$this',
    '$root/',
    '$value',
    '/$ref',
  ],
  ...[
    'contains(',
    'case(',
    'cast(',
    'isof(',
    'now()',
    'geo.length(',
    'ns.f(',
    'Collection(',
    "ns.E'",
    "duration'",
    "binary'",
    "geography'SRID=0;Point(",
    '2024-01-01',
    'T00:00:00Z',
    '12:30',
    '184efa21-98c3-4e5d-95ab-d07053a96e67',
  ],
  ...[
    '$filter=',
    '$select=',
    '$expand=',
    '$orderby=',
    '$search=',
    '$compute=',
    '$top=',
    '$levels=',
    '@p=',
    'NOT ',
    ' OR ',
    ' AND ',
    '($select=',
    '($filter=',
    '($levels=max)',
  ],
]

const seeds: readonly string[] = [
  ...filters.map(({ text }) => text),
  ...filters.flatMap(({ malformed }) => malformed),
  'a desc,b/c asc',
  'a,b/c,ns.*,@ns.t($top=5)',
  'a($select=b;$expand=c($levels=max;$filter=d eq 1)),*/$ref,e/$count($search=x OR "y z")',
  'blue AND (green OR NOT "light red")',
  '$filter=a eq \'x%20y\'&$orderby=b desc&$top=5&$count=true&@p=[1,{"a":null}]&custom=1',
  'a mul b as c',
]

/** A random text near the grammar: a piece of the corpus cut, doubled and mixed, or fragments thrown together. */
function mutatedText(random: (below: number) => number): string {
  let text = random(4) === 0 ? '' : pick(seeds, random)
  for (let steps = 1 + random(6); steps > 0; steps -= 1) text = mutated(text, random)
  return text
}

function mutated(text: string, random: (below: number) => number): string {
  const start = random(text.length + 1)
  const end = Math.min(text.length, start + random(12))
  switch (random(5)) {
    case 0:
      return text.slice(0, start) + text.slice(end)
    case 1:
      return text.slice(0, end) + text.slice(start)
    case 2:
      return text.slice(0, start) + String.fromCharCode(random(random(4) === 0 ? 0x1_0000 : 0x80)) + text.slice(start)
    default:
      return text.slice(0, start) + pick(fragments, random) + text.slice(random(2) === 0 ? start : end)
  }
}

function pick(texts: readonly string[], random: (below: number) => number): string {
  return texts[random(texts.length)] ?? ''
}
