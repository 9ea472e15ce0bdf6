import type { Literal } from './ast.js'
import { isIdentifier, isQualifiedName, maxNesting, type Scope } from './cursor.js'
import {
  dateEnd,
  dateTimeOffsetEnd,
  guidEnd,
  isBinary,
  isDuration,
  isEnumMembers,
  isGeo,
  timeOfDayEnd,
} from './literal-formats.js'

/**
 * No text represents the tree: a name is not an identifier, the value of a literal does not fit its type, or a list of
 * literals is not an operand of `in`. The printer refuses such trees, so that values cannot inject syntax.
 */
export class PrintError extends Error {
  override readonly name: string = 'PrintError'
}

/** The context of a node that is being printed. */
export interface PrintContext {
  readonly nesting: number
  readonly scope: Scope | undefined
  /** Whether the node is in nested options, which semicolons separate. */
  readonly nested: boolean
  /** `fewest`: only where the grammar needs them. `defensive`: also where services often get precedence wrong. */
  readonly parentheses: 'defensive' | 'fewest'
}

class NestingError extends PrintError {}

/** The context one level of nesting deeper. The parser counts the same levels. */
export function oneLevelDeeper(context: PrintContext): PrintContext {
  if (context.nesting >= maxNesting) throw new NestingError(`The query nests deeper than ${maxNesting} levels.`)
  return { ...context, nesting: context.nesting + 1 }
}

/** Prints with defensive parentheses, or with the fewest if these would nest too deep. */
export function printFromRoot(print: (context: PrintContext) => string): string {
  try {
    return print({ nesting: 0, scope: undefined, nested: false, parentheses: 'defensive' })
  } catch (error) {
    if (!(error instanceof NestingError)) throw error
    return print({ nesting: 0, scope: undefined, nested: false, parentheses: 'fewest' })
  }
}

/** @throws {PrintError} when the name is not an identifier */
export function printIdentifier(name: string): string {
  if (!isIdentifier(name)) throw new PrintError(`${JSON.stringify(name)} is not an identifier.`)
  return name
}

/** @throws {PrintError} when the name is neither an identifier nor a qualified name */
export function printQualifiedName(name: string): string {
  if (!isIdentifier(name) && !isQualifiedName(name)) throw new PrintError(`${JSON.stringify(name)} is not a name.`)
  return name
}

/** @throws {PrintError} when the value does not fit the type */
export function printLiteral(literal: Literal): string {
  if (literal.type === 'null') return 'null'
  if (literal.type === 'Boolean') return String(literal.value)
  const { type, value } = literal
  switch (type) {
    case 'String':
      return quote(value)
    case 'Integer':
      return checked(literal, /^-?[0-9]+$/.test(value), value)
    case 'Decimal':
      return checked(literal, /^-?[0-9]+(?:\.[0-9]+)?$/.test(value), value)
    case 'Double':
      return checked(literal, /^(?:-?[0-9]+(?:\.[0-9]+)?(?:[Ee][+-]?[0-9]+)?|-?INF|NaN)$/.test(value), value)
    case 'Guid':
      return checked(literal, guidEnd(value, 0) === value.length, value.toLowerCase())
    case 'Date':
      return checked(literal, dateEnd(value, 0) === value.length, value)
    case 'DateTimeOffset':
      return checked(literal, dateTimeOffsetEnd(value, 0) === value.length, value.toUpperCase())
    case 'TimeOfDay':
      return checked(literal, timeOfDayEnd(value, 0) === value.length, value)
    case 'Duration':
      return checked(literal, isDuration(value), `duration${quote(value.toUpperCase())}`)
    case 'Binary':
      return checked(literal, isBinary(value), `binary${quote(value)}`)
    case 'Geography':
      return checked(literal, isGeo(value), `geography${quote(value)}`)
    case 'Geometry':
      return checked(literal, isGeo(value), `geometry${quote(value)}`)
    case 'Enum': {
      const { enumType } = literal
      return checked(literal, isQualifiedName(enumType) && isEnumMembers(value), `${enumType}${quote(value)}`)
    }
  }
}

function quote(text: string): string {
  return `'${text.replaceAll("'", "''")}'`
}

function checked(literal: Literal, valid: boolean, text: string): string {
  if (!valid) throw new PrintError(`${JSON.stringify(literal.value)} is not a valid ${literal.type}.`)
  return text
}

/** The items of an option, separated by commas. @throws {PrintError} when there are none */
export function printItems<Item>(option: string, items: readonly Item[], print: (item: Item) => string): string {
  if (items.length === 0) throw new PrintError(`${option} needs an item. Omit the option instead.`)
  return items.map(print).join(',')
}
