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
 * A tree that no text of the query language stands for: a name that is no identifier, a literal whose value does not fit
 * its type, a list of literals outside `in`. Nothing is printed, so that no value can pass itself off as syntax.
 */
export class PrintError extends Error {
  override readonly name: string = 'PrintError'
}

/** Where something is printed: how deep, with which lambda variables around it, and how generous with parentheses. */
export interface PrintContext {
  readonly nesting: number
  readonly scope: Scope | undefined
  /** Whether it stands in the parentheses of another option, where a semicolon separates. */
  readonly nested: boolean
  /** `cautious`: also where only servers with a wrong precedence need them; `fewest`: where the grammar needs them. */
  readonly parentheses: 'cautious' | 'fewest'
}

class NestingError extends PrintError {}

/** The place one level deeper, as the parser counts levels. */
export function oneLevelDeeper(place: PrintContext): PrintContext {
  if (place.nesting >= maxNesting) throw new NestingError(`The query nests deeper than ${maxNesting} levels.`)
  return { ...place, nesting: place.nesting + 1 }
}

/** Prints with cautious parentheses, or, when these would nest too deep, with the fewest. */
export function printFromRoot(print: (place: PrintContext) => string): string {
  try {
    return print({ nesting: 0, scope: undefined, nested: false, parentheses: 'cautious' })
  } catch (error) {
    if (!(error instanceof NestingError)) throw error
    return print({ nesting: 0, scope: undefined, nested: false, parentheses: 'fewest' })
  }
}

/** The name, when it is an identifier. @throws {PrintError} */
export function printIdentifier(name: string): string {
  if (!isIdentifier(name)) throw new PrintError(`${JSON.stringify(name)} is no identifier.`)
  return name
}

/** The name, when it is an identifier or a qualified name. @throws {PrintError} */
export function printQualifiedName(name: string): string {
  if (!isIdentifier(name) && !isQualifiedName(name)) throw new PrintError(`${JSON.stringify(name)} is no name.`)
  return name
}

/** A literal as it stands in an expression. @throws {PrintError} when the value does not fit the type */
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
  if (!valid) throw new PrintError(`${JSON.stringify(literal.value)} is no value of ${literal.type}.`)
  return text
}

/** The items of an option, joined by commas. @throws {PrintError} when there are none, which no option allows */
export function printItems<Item>(option: string, items: readonly Item[], print: (item: Item) => string): string {
  if (items.length === 0) throw new PrintError(`${option} needs an item; leave the option out instead.`)
  return items.map(print).join(',')
}
