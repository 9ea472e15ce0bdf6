import { type PatternNode, parsePattern } from '../../../runtime/query/index.js'
import type { Facets, Property } from '../../../spec/language/index.js'
import { hashOf, type Random, SeedError } from './seed-rows.js'

/** Given names from several languages. */
const givenNames = list(`
  Ada Björn Chloé Dmitri Émile Fatima Grace Hiroshi Ingrid José Kofi Łukasz Mei Noor Oluwaseun Pilar Quentin Ravi Seán
  Tomás Ürsula Valentina Wen Xochitl Yuki Zoë
`)

/** Family names with apostrophes, spaces and letters outside ASCII. */
const familyNames = list(`
  Adeyemi Brontë Castellanos D'Angelo Eriksson Fischer García Hâncu Ibáñez Jóhannsdóttir Kovač Lindgren Müller Nguyễn
  O'Brien Papadopoulos Qureshi Rossi Śarma Tanaka van_der_Berg Weiß Xu Yıldız Zhang
`)

/** Nouns and adjectives that can be combined. */
const words = list(`
  amber anchor apple autumn basin beacon birch blue bridge budget canyon cedar cloud copper coral crystal delta desert
  dawn echo ember falcon field forest garden glacier golden granite harbour hazel horizon island ivory jade juniper
  kestrel lagoon lantern marble meadow meeting mist north ocean olive onyx orchard pebble pine plan prairie quartz quiet
  raven report review river rose saffron sierra silver sparrow spring stone summer sunset timber topaz valley velvet
  violet walnut willow winter
`)

/** Texts that break code with wrong assumptions about text. */
const awkwardTexts = [
  '100%',
  'a_b',
  '*',
  "it's",
  'naïve',
  '日本語',
  '🚲',
  '👩‍🔬',
  '"quoted"',
  'C:\\temp',
  'x+y',
  'R&D',
  'tab\tbed',
] as const

/** The words of a text. An underscore is a space inside a word. */
function list(text: string): readonly [string, ...string[]] {
  const [first = '', ...others] = text
    .trim()
    .split(/\s+/)
    .map(word => word.replaceAll('_', ' '))
  return [first, ...others]
}

export type TextGenerator = (random: Random) => string

/** The number of different values of a property that holds a category. */
const categorySize = 12
/** Properties with at least this maximum length hold sentences. */
const sentenceFrom = 256

/**
 * Chooses how to generate the text of a property: from its pattern if it has one; otherwise names, categories, words or
 * sentences, depending on its facets and its path.
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

/** Numbered texts for keys and unique properties. Every number gives a different text. */
export function numberedTexts(facets: Facets, place: string): (index: number) => string {
  const least = facets.minLength ?? 1
  const most = facets.maxLength ?? 1_000
  if (facets.pattern !== undefined) {
    const texts = textsOf(facets.pattern, least, most, place)
    return index => {
      if (index < texts.count) return texts.text(index)
      throw new SeedError(
        `${place} has only ${texts.count} values that match ${facets.pattern}. Request at most that many rows.`,
      )
    }
  }
  return index => {
    const number = index.toString(36)
    const word = words[index % words.length] ?? ''
    const text = word.length + number.length < most ? `${word}-${number}` : number
    if (text.length <= most) return text.padStart(least, '0')
    throw new SeedError(`${place} allows only ${most} characters, too few for this many rows. Request fewer rows.`)
  }
}

function textsOf(pattern: string, least: number, most: number, place: string): PatternTexts {
  const texts = patternTexts(pattern, least, most)
  if (texts !== undefined) return texts
  throw new SeedError(`Cannot generate text for ${place} that matches ${pattern}. Write its data by hand.`)
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

/** Cuts at character boundaries and pads with letters. */
function cut(text: string, least: number, most: number): string {
  if (text.length <= most && text.length >= least) return text
  return [...text].slice(0, most).join('').trimEnd().padEnd(least, 'x')
}

/** The texts that match a pattern, numbered. */
interface PatternTexts {
  /** The number of texts; may be infinite. */
  readonly count: number
  /** The text with a number, from 0. Different numbers give different texts. */
  readonly text: (index: number) => string
}

/** How often to repeat a part that can be repeated without limit, in order of preference. */
const wished = [6, 8, 12, 16, 4, 2, 1, 0]

/**
 * Texts of a given length that match a regular expression; undefined if none are found. Patterns that need characters outside
 * ASCII, and patterns with lookaround, are not supported.
 */
export function patternTexts(pattern: string, least: number, most: number): PatternTexts | undefined {
  const expression = new RegExp(pattern, 'u')
  const tree = treeOf(pattern)
  for (const repeats of tree === undefined ? [] : wished) {
    const placeholders = tree === undefined ? [] : slotsOf(tree, repeats)
    if (
      placeholders.length < least ||
      placeholders.length > most ||
      placeholders.some(placeholder => placeholder.length === 0)
    )
      continue
    const texts = {
      count: placeholders.reduce((product, placeholder) => product * placeholder.length, 1),
      text: textOf(placeholders),
    }
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

/** The possible characters at each position. */
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

/**
 * The ASCII characters that an atom matches. If it matches letters or digits, only those: letters of one case, and digits.
 */
function charactersOf(source: string): string {
  const expression = new RegExp(`^(?:${source})$`, 'u')
  const matching = [...printable].filter(character => expression.test(character))
  const letters = [/[a-z]/, /[A-Z]/].find(letter => matching.some(character => letter.test(character)))
  const familiar = matching.filter(character => letters?.test(character) || /\d/.test(character))
  return (familiar.length > 1 ? familiar : matching).join('')
}

/** Writes a number in a positional system in which each position has its own digits. */
function textOf(placeholders: readonly string[]): (index: number) => string {
  return index => {
    let rest = index
    let text = ''
    for (const placeholder of [...placeholders].reverse()) {
      text = (placeholder[rest % placeholder.length] ?? '') + text
      rest = Math.floor(rest / placeholder.length)
    }
    return text
  }
}
