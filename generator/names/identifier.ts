import { reservedTypeNames, reservedWords } from './reserved-words.js'

/** Joiners and variation selectors: identifiers may hold them, and nobody sees them there. */
const invisibleInIdentifiers = /\u200c|\u200d|\p{Variation_Selector}/gu

/** The words of a name: what stands between characters that no identifier may hold, or that nobody would see in one. */
const words = (name: string): readonly string[] =>
  name
    .replace(invisibleInIdentifiers, '')
    .split(/[^\p{ID_Continue}$]+/u)
    .filter(word => word !== '')

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

/** `drive-item` becomes `DriveItem`; empty when the name holds nothing that an identifier could. */
export const typeIdentifier = (name: string): string => safe(words(name).map(upperFirst).join(''), reservedTypeNames)

/** `drive-item` becomes `driveItem`, `delete` becomes `delete_`; empty when the name holds nothing that an identifier could. */
export const valueIdentifier = (name: string): string =>
  safe(
    words(name)
      .map((word, index) => (index === 0 ? lowerFirst(word) : upperFirst(word)))
      .join(''),
    reservedWords,
  )
