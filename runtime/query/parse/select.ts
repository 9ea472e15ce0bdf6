import type { SelectItem } from '../ast.js'
import { AT, CLOSE, COMMA, DOLLAR, DOT, EQUALS, OPEN, SLASH, STAR } from '../lexical/characters.js'
import { identifierEnd } from '../lexical/identifier.js'
import { whitespaceEnd } from '../lexical/whitespace.js'
import { parseAnnotation } from './annotation.js'
import { Cursor } from './cursor.js'
import { requireEnd } from './end.js'
import { fail } from './fail.js'
import { takeIdentifier, takeQualifiedRest } from './identifier.js'
import { selectOptions } from './nested-option-names.js'
import { parseNestedOptions } from './nested-options.js'
import { skipWhitespace, take, takeClose, takeSpaced } from './punctuation.js'

/**
 * The items of a `$select`, percent-decoded: `displayName,body/content,Addresses($top=5)`.
 *
 * @throws {QuerySyntaxError} when the text breaks the grammar
 * @see OData 4.01 URL Conventions, 5.1.4
 */
export function parseSelect(text: string): readonly SelectItem[] {
  const cursor = new Cursor(text, '$select')
  const items = parseSelectItems(cursor)
  requireEnd(cursor, ['`,`', '`/`', '`(`'])
  return items
}

/** The items up to the first character that cannot continue them. */
export function parseSelectItems(cursor: Cursor): readonly SelectItem[] {
  const items: SelectItem[] = []
  do items.push(parseSelectItem(cursor))
  while (takeSpaced(cursor, COMMA))
  return items
}

function parseSelectItem(cursor: Cursor): SelectItem {
  cursor.steps += 1
  if (take(cursor, STAR)) return { path: ['*'] }
  const path: string[] = []
  do path.push(takeSelectName(cursor))
  while (take(cursor, SLASH))
  if (cursor.text.charCodeAt(cursor.position) !== OPEN) return { path }
  if (startsOptions(cursor)) return { path, options: parseNestedOptions(cursor, selectOptions) }
  path.push(`${path.pop()}${takeParameterNames(cursor)}`)
  return { path }
}

function takeSelectName(cursor: Cursor): string {
  if (cursor.text.charCodeAt(cursor.position) === AT) return takeAnnotationName(cursor)
  const name = takeQualifiedRest(cursor, takeIdentifier(cursor, 'the name of a property or `*`'))
  const { text, position } = cursor
  if (text.charCodeAt(position) !== DOT || text.charCodeAt(position + 1) !== STAR) return name
  cursor.position += 2
  return `${name}.*`
}

/** `@ns.term#qualifier`, as written. */
export function takeAnnotationName(cursor: Cursor): string {
  const { term, qualifier } = parseAnnotation(cursor)
  return `@${term}${qualifier === undefined ? '' : `#${qualifier}`}`
}

/** Options begin with `$`, an alias, or a name before `=`; the names of parameters do not. */
function startsOptions(cursor: Cursor): boolean {
  const { text } = cursor
  const start = whitespaceEnd(text, cursor.position + 1)
  const first = text.charCodeAt(start)
  return first === DOLLAR || first === AT || text.charCodeAt(identifierEnd(text, start)) === EQUALS
}

/** `(place,radius)`: which overload of a function. @see OData ABNF, `parameterNames` */
function takeParameterNames(cursor: Cursor): string {
  const names: string[] = []
  cursor.position += 1
  skipWhitespace(cursor)
  if (cursor.text.charCodeAt(cursor.position) === CLOSE)
    fail(cursor, cursor.position, ['an option ($filter=…)', 'the name of a parameter'])
  do names.push(takeIdentifier(cursor, 'an option ($filter=…) or the name of a parameter'))
  while (takeSpaced(cursor, COMMA))
  takeClose(cursor, ['`,`'])
  return `(${names.join(',')})`
}
