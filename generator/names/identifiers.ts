import { codeName, type Operation } from '../../spec/language/index.js'
import { stringLiteral } from '../text/literals.js'

/** Joiners and variation selectors: invisible characters that an identifier can contain. */
const invisibleInIdentifiers = /\u200c|\u200d|\p{Variation_Selector}/gu

/**
 * The words of a name: the parts between underscores, and between characters that an identifier cannot contain. In a name
 * of several words, one in capitals alone is no acronym: `SALES_ORDER` becomes `SalesOrder`.
 */
function words(name: string): readonly string[] {
  const parts = name
    .replace(invisibleInIdentifiers, '')
    .split(/(?:[^\p{ID_Continue}$]|_)+/u)
    .filter(word => word !== '')
  // Underscores and nothing else are a name, too.
  if (parts.length === 0) return [...(/^_+$/.exec(name) ?? [])]
  return parts.length === 1 ? parts : parts.map(word => (isCapitals.test(word) ? word.toLowerCase() : word))
}

const isCapitals = /^\p{Lu}[\p{Lu}\p{N}]+$/u

const upperFirst = (word: string): string => {
  const [first = ''] = word
  return first.toUpperCase() + word.slice(first.length)
}

const lowerFirst = (word: string): string => {
  const [first = ''] = word
  return first.toLowerCase() + word.slice(first.length)
}

/** A first character that may only continue an identifier gets an underscore, and so does a reserved word at its end. */
function safe(text: string, reserved: ReadonlySet<string>): string {
  if (text === '') return ''
  const started = /^[\p{ID_Start}$_]/u.test(text) ? text : `_${text}`
  return reserved.has(started) ? `${started}_` : started
}

/** `drive-item` becomes `DriveItem`; empty if no character fits in an identifier. */
export const typeIdentifier = (name: string): string => safe(words(name).map(upperFirst).join(''), reservedTypeNames)

/** `drive-item` becomes `driveItem`, `delete` becomes `delete_`; empty if no character fits in an identifier. */
export const valueIdentifier = (name: string): string =>
  safe(
    words(name)
      .map((word, index) => (index === 0 ? lowerFirst(word) : upperFirst(word)))
      .join(''),
    reservedWords,
  )

/** `sales_orders` becomes `salesOrders`, `Order_Details` becomes `OrderDetails`: the first letter keeps its case. */
export const memberIdentifier = (name: string): string =>
  words(name)
    .map((word, index) => (index === 0 ? word : upperFirst(word)))
    .join('')

/**
 * A name as the member of an interface or of an object literal: quoted if it is not an identifier. `new` is quoted because
 * `new(…)` in an interface is a constructor, `__proto__` is computed because in a literal it would set the prototype.
 */
export function propertyName(name: string): string {
  if (name === '__proto__') return `['__proto__']`
  return isIdentifierName(name) && name !== 'new' ? name : stringLiteral(name)
}

/** Start of the names of an operation's types, `GetMemberGroups`. */
export const operationIdentifier = (operation: Operation): string => typeIdentifier(codeName(operation))

/** Names that Windows reserves for devices, with any extension. */
const deviceName = /^(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])$/

/**
 * A name as a file name without extension: letters, digits and dashes in lower case, so that no file system confuses two
 * names or rejects one. `getMemberGroups` becomes `get-member-groups`; empty if nothing is left.
 */
export function fileName(name: string): string {
  const plain = name
    .normalize('NFC')
    .replace(/(\p{Ll}|\d)(?=\p{Lu})/gu, '$1-')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '')
  return deviceName.test(plain) ? `${plain}-` : plain
}

/**
 * Whether every compiler accepts a text as an unquoted name of a member. Other letters depend on the Unicode version of a
 * compiler.
 */
const isIdentifierName = (text: string): boolean => /^[A-Za-z_$][\w$]*$/.test(text)

const wordSet = (list: string): ReadonlySet<string> => new Set(list.split(' '))

/** Words that cannot name anything in a strict ECMAScript module. */
const reservedWords: ReadonlySet<string> = wordSet(
  'arguments await break case catch class const continue debugger default delete do else enum eval export extends ' +
    'false finally for function if implements import in instanceof interface let new null package private protected ' +
    'public return static super switch this throw true try typeof undefined var void while with yield ' +
    'NaN Infinity globalThis',
)

/** Words that cannot name a type. */
const reservedTypeNames: ReadonlySet<string> = wordSet(
  'any bigint boolean never number object string symbol unknown undefined',
)

/** Whether a name is a word that cannot name a type, or any declaration. */
export const isReservedType = (name: string): boolean => reservedTypeNames.has(name) || reservedWords.has(name)
