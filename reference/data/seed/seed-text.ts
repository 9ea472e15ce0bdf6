import type { Facets, Property } from '../../../spec/language/index.js'
import { type PatternTexts, patternTexts } from './pattern-text.js'
import { hashOf, type Random } from './random.js'
import { SeedError } from './seed-error.js'
import { familyNames, givenNames, oddments, words } from './word-lists.js'

/** Makes text for one property. */
export type TextMaker = (random: Random) => string

/** Words that the values of one property are of, when it is a category. */
const categorySize = 12
/** Characters from which on a property holds sentences. */
const sentenceFrom = 256

/**
 * How a property's text is made: by its pattern if it has one; else names, categories, words or sentences, as its facets
 * allow and its place in the model decides.
 */
export function textMaker(property: Property, facets: Facets, place: string): TextMaker {
  const least = facets.minLength ?? 0
  const most = facets.maxLength ?? 1_000
  if (facets.pattern !== undefined) {
    const texts = textsOf(facets.pattern, least, most, place)
    const count = Math.min(texts.count, 2 ** 31)
    return random => texts.text(random.below(count))
  }
  const style = hashOf(place) >>> 0
  const fitted = (make: TextMaker): TextMaker => {
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

const name: TextMaker = random => `${random.pick(givenNames)} ${random.pick(familyNames)}`

function category(style: number): TextMaker {
  return random => {
    const first = style + random.below(categorySize)
    return `${capital(words[first % words.length] ?? '')} ${words[(first * 7) % words.length] ?? ''}`
  }
}

function phrase(random: Random): string {
  const count = 1 + random.below(3)
  const parts = Array.from({ length: count }, () => (random.percent(3) ? random.pick(oddments) : random.pick(words)))
  return capital(parts.join(' '))
}

function sentence(random: Random): string {
  const count = 3 + random.below(10)
  const parts = Array.from({ length: count }, () => (random.percent(3) ? random.pick(oddments) : random.pick(words)))
  return `${capital(parts.join(' '))}.`
}

const capital = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1)

/** Cuts between characters, never inside one; fills up with letters. */
function cut(text: string, least: number, most: number): string {
  if (text.length <= most && text.length >= least) return text
  return [...text].slice(0, most).join('').trimEnd().padEnd(least, 'x')
}
