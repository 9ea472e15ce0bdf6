import type { ExpandItem } from '../ast.js'
import { AT, COMMA, DOLLAR, OPEN, SLASH, STAR } from '../lexical/characters.js'
import { Cursor } from './cursor.js'
import { requireEnd } from './end.js'
import { fail } from './fail.js'
import { takeIdentifier, takeQualifiedRest } from './identifier.js'
import {
  countOptions,
  expandOptions,
  type NestedOptionNames,
  referenceOptions,
  starOptions,
} from './nested-option-names.js'
import { parseNestedOptions } from './nested-options.js'
import { take, takeSpaced } from './punctuation.js'
import { takeAnnotationName } from './select.js'

/**
 * The items of an `$expand`, percent-decoded: `manager($select=id;$expand=manager),memberOf/$count`.
 *
 * @throws {QuerySyntaxError} when the text breaks the grammar
 * @see OData 4.01 URL Conventions, 5.1.3
 */
export function parseExpand(text: string): readonly ExpandItem[] {
  const cursor = new Cursor(text, '$expand')
  const items = parseExpandItems(cursor)
  requireEnd(cursor, ['`,`', '`/`', '`(`'])
  return items
}

/** The items up to the first character that cannot continue them. */
export function parseExpandItems(cursor: Cursor): readonly ExpandItem[] {
  const items: ExpandItem[] = []
  do items.push(parseExpandItem(cursor))
  while (takeSpaced(cursor, COMMA))
  return items
}

function parseExpandItem(cursor: Cursor): ExpandItem {
  cursor.steps += 1
  if (takeSymbol(cursor, '$value')) return { path: ['$value'] }
  const path: string[] = []
  let suffix: ExpandItem['suffix']
  do {
    if (path.length > 0 && cursor.text.charCodeAt(cursor.position) === DOLLAR) {
      suffix = takeSuffix(cursor, path.at(-1) === '*')
    } else {
      path.push(takeExpandName(cursor))
    }
  } while (suffix === undefined && mayContinue(cursor, path) && take(cursor, SLASH))
  return {
    path,
    ...(suffix === undefined ? {} : { suffix }),
    ...(cursor.text.charCodeAt(cursor.position) === OPEN
      ? { options: parseNestedOptions(cursor, optionsAllowed(cursor, path, suffix)) }
      : {}),
  }
}

/** Behind `*` nothing but `/$ref` may follow. */
function mayContinue(cursor: Cursor, path: readonly string[]): boolean {
  return path.at(-1) !== '*' || cursor.text.startsWith('/$ref', cursor.position)
}

function takeExpandName(cursor: Cursor): string {
  if (take(cursor, STAR)) return '*'
  if (cursor.text.charCodeAt(cursor.position) === AT) return takeAnnotationName(cursor)
  return takeQualifiedRest(cursor, takeIdentifier(cursor, 'the name of a relation or `*`'))
}

function takeSuffix(cursor: Cursor, afterStar: boolean): 'ref' | 'count' {
  if (takeSymbol(cursor, '$ref')) return 'ref'
  if (!afterStar && takeSymbol(cursor, '$count')) return 'count'
  return fail(cursor, cursor.position, ['a name', '`$ref`', ...(afterStar ? [] : ['`$count`'])])
}

function takeSymbol(cursor: Cursor, symbol: string): boolean {
  if (!cursor.text.startsWith(symbol, cursor.position)) return false
  cursor.position += symbol.length
  return true
}

function optionsAllowed(cursor: Cursor, path: readonly string[], suffix: ExpandItem['suffix']): NestedOptionNames {
  if (suffix === 'count') return countOptions
  const star = path.at(-1) === '*'
  if (star && suffix === 'ref') fail(cursor, cursor.position, ['`,`', 'the end'])
  return star ? starOptions : suffix === 'ref' ? referenceOptions : expandOptions
}
