import type { Expression, QueryOptions } from '../ast.js'
import { DIGIT_0 } from '../lexical/characters.js'
import { digitsEnd } from '../lexical/digits.js'
import { parseComputeItems } from './compute.js'
import type { Cursor } from './cursor.js'
import { parseExpandItems } from './expand.js'
import { parseExpression } from './expression.js'
import { fail } from './fail.js'
import type { OptionName } from './option-name.js'
import { parseOrderbyItems } from './orderby.js'
import { parseSearchExpression } from './search.js'
import { parseSelectItems } from './select.js'
import { takeWord } from './word.js'

/** Query options while they are collected. */
export type MutableOptions = { -readonly [Name in OptionName]?: QueryOptions[Name] } & {
  aliases?: Record<string, Expression>
}

/** Reads the value of one option, as far as it goes, and adds it. `nested`: within the parentheses of another option. */
export function parseOptionValue(cursor: Cursor, option: OptionName, options: MutableOptions, nested: boolean): void {
  switch (option) {
    case 'filter':
      options.filter = parseExpression(cursor)
      return
    case 'orderby':
      options.orderby = parseOrderbyItems(cursor)
      return
    case 'select':
      options.select = parseSelectItems(cursor)
      return
    case 'expand':
      options.expand = parseExpandItems(cursor)
      return
    case 'search':
      options.search = parseSearchExpression(cursor, nested)
      return
    case 'compute':
      options.compute = parseComputeItems(cursor)
      return
    case 'top':
      options.top = takeCount(cursor)
      return
    case 'skip':
      options.skip = takeCount(cursor)
      return
    case 'count':
      options.count = takeBoolean(cursor)
      return
    case 'levels':
      options.levels = takeLevels(cursor)
      return
    case 'format':
      options.format = takeRest(cursor)
      return
    case 'skiptoken':
      options.skiptoken = takeRest(cursor)
      return
    case 'deltatoken':
      options.deltatoken = takeRest(cursor)
  }
}

/** A non-negative integer that a number of JavaScript holds exactly. */
function takeCount(cursor: Cursor): number {
  const { text, position } = cursor
  const end = digitsEnd(text, position)
  const count = end === position ? Number.NaN : Number(text.slice(position, end))
  if (!Number.isSafeInteger(count)) fail(cursor, position, [`an integer from 0 to ${Number.MAX_SAFE_INTEGER}`])
  cursor.position = end
  return count
}

function takeBoolean(cursor: Cursor): boolean {
  const { position } = cursor
  if (takeWord(cursor, position, 'true')) return true
  if (takeWord(cursor, position, 'false')) return false
  return fail(cursor, position, ['`true`', '`false`'])
}

/** A positive integer without leading zeros, or `max`. @see OData ABNF, `levels` */
function takeLevels(cursor: Cursor): number | 'max' {
  if (takeWord(cursor, cursor.position, 'max')) return 'max'
  if (cursor.text.charCodeAt(cursor.position) === DIGIT_0) fail(cursor, cursor.position, ['an integer from 1', '`max`'])
  return takeCount(cursor)
}

function takeRest(cursor: Cursor): string {
  const rest = cursor.text.slice(cursor.position)
  if (rest === '') fail(cursor, cursor.position, ['a value'])
  cursor.position = cursor.text.length
  return rest
}
