import { type PatternNode, parsePattern } from '../../../runtime/query/index.js'
import type { Facets, Property } from '../../../spec/language/index.js'
import { hashOf, type Random } from './random.js'
import { SeedError } from './seed-rows.js'
import { awkwardTexts, familyNames, givenNames, words } from './word-lists.js'

/** Makes text for one property. */
export type TextGenerator = (random: Random) => string

/** Words that the values of one property are of, when it is a category. */
const categorySize = 12
/** Characters from which on a property holds sentences. */
const sentenceFrom = 256

/**
 * How a property's text is made: by its pattern if it has one; else names, categories, words or sentences, as its facets
 * allow and its place in the model decides.
 */
export function textGenerator(property: Property, facets: Facets, place: string): TextGenerator {
  const least = facets.minLength ?? 0
  const most = facets.maxLength ?? 1_000
  if (facets.pattern !== undefined) {
    const texts = textsOf(facets.pattern, least, most, place)
    const count = Math.min(texts.count, 2 ** 31)
    return random => texts.text(random.below(count))
  }
  const style = hashOf(place) >>> 0
  const fitted = (make: TextGenerator): TextGenerator => {
    return random => cut(make(random), least, most)
  }
  if (most < 12) return random => cut(random.pick(words), least, most)
  if (property.search === 'none' && property.index) return fitted(category(style))
  if (facets.maxLength === undefined || most > sentenceFrom) return fitted(sentence)
  return fitted([name, category(style), phrase][style % 3] ?? phrase)
}

/** Texts for keys and unique properties: each number has its own. */
export function numberedTexts(facets: Facets, place: string): (index: number) => string {
  const least = facets.minLength ?? 1
  const most = facets.maxLength ?? 1_000
  if (facets.pattern !== undefined) {
    const texts = textsOf(facets.pattern, least, most, place)
    return index => {
      if (index < texts.count) return texts.text(index)
      throw new SeedError(
        `${place} has only ${texts.count} values that match ${facets.pattern}; ask for fewer rows, at most so many.`,
      )
    }
  }
  return index => {
    const number = index.toString(36)
    const word = words[index % words.length] ?? ''
    const text = word.length + number.length < most ? `${word}-${number}` : number
    if (text.length <= most) return text.padStart(least, '0')
    throw new SeedError(`${place} has room for ${most} characters, too few for so many rows; ask for fewer.`)
  }
}

function textsOf(pattern: string, least: number, most: number, place: string): PatternTexts {
  const texts = patternTexts(pattern, least, most)
  if (texts !== undefined) return texts
  throw new SeedError(`No text was found for ${place} that matches ${pattern}; give its data by hand.`)
}

const name: TextGenerator = random => `${random.pick(givenNames)} ${random.pick(familyNames)}`

function category(style: number): TextGenerator {
  return random => {
    const first = style + random.below(categorySize)
    return `${capital(words[first % words.length] ?? '')} ${words[(first * 7) % words.length] ?? ''}`
  }
}

function phrase(random: Random): string {
  const count = 1 + random.below(3)
  const parts = Array.from({ length: count }, () =>
    random.percent(3) ? random.pick(awkwardTexts) : random.pick(words),
  )
  return capital(parts.join(' '))
}

function sentence(random: Random): string {
  const count = 3 + random.below(10)
  const parts = Array.from({ length: count }, () =>
    random.percent(3) ? random.pick(awkwardTexts) : random.pick(words),
  )
  return `${capital(parts.join(' '))}.`
}

const capital = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1)

/** Cuts between characters, never inside one; fills up with letters. */
function cut(text: string, least: number, most: number): string {
  if (text.length <= most && text.length >= least) return text
  return [...text].slice(0, most).join('').trimEnd().padEnd(least, 'x')
}

/** Texts that match a pattern, numbered. */
interface PatternTexts {
  /** How many there are; may be infinite. */
  readonly count: number
  /** The text of a number from 0 on; other numbers give other texts. */
  readonly text: (index: number) => string
}

/** How often something is repeated that may be repeated without end. */
const wished = [6, 8, 12, 16, 4, 2, 1, 0]

/**
 * Texts that match a regular expression and have so many characters; undefined when none were found: patterns that need
 * characters beyond ASCII, or that look around.
 */
export function patternTexts(pattern: string, least: number, most: number): PatternTexts | undefined {
  const expression = new RegExp(pattern, 'u')
  const tree = treeOf(pattern)
  for (const repeats of tree === undefined ? [] : wished) {
    const slots = tree === undefined ? [] : slotsOf(tree, repeats)
    if (slots.length < least || slots.length > most || slots.some(slot => slot.length === 0)) continue
    const texts = { count: slots.reduce((product, slot) => product * slot.length, 1), text: textOf(slots) }
    if (expression.test(texts.text(0))) return texts
  }
  return undefined
}

function treeOf(pattern: string): PatternNode | undefined {
  try {
    return parsePattern(pattern)
  } catch {
    return undefined
  }
}

/** The characters that may stand at each position. */
function slotsOf(node: PatternNode, repeats: number): readonly string[] {
  switch (node.kind) {
    case 'assertion':
      return []
    case 'atom':
      return [charactersOf(node.source)]
    case 'sequence':
      return node.nodes.flatMap(part => slotsOf(part, repeats))
    case 'alternatives': {
      const [first] = node.nodes
      return first === undefined ? [] : slotsOf(first, repeats)
    }
    case 'repeat': {
      const count = Math.min(node.most, Math.max(node.least, repeats), 64)
      return Array.from({ length: count }, () => slotsOf(node.node, repeats)).flat()
    }
  }
}

const printable = Array.from({ length: 94 }, (_, index) => String.fromCharCode(index + 0x21)).join('')

/** Those characters of ASCII that an atom matches: letters of one case and digits when it matches them, else what there is. */
function charactersOf(source: string): string {
  const expression = new RegExp(`^(?:${source})$`, 'u')
  const matching = [...printable].filter(character => expression.test(character))
  const letters = [/[a-z]/, /[A-Z]/].find(letter => matching.some(character => letter.test(character)))
  const familiar = matching.filter(character => letters?.test(character) || /\d/.test(character))
  return (familiar.length > 1 ? familiar : matching).join('')
}

/** Writes a number with the characters of each position as its digits. */
function textOf(slots: readonly string[]): (index: number) => string {
  return index => {
    let rest = index
    let text = ''
    for (const slot of [...slots].reverse()) {
      text = (slot[rest % slot.length] ?? '') + text
      rest = Math.floor(rest / slot.length)
    }
    return text
  }
}
