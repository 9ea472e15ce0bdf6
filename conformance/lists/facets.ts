import type { Facets, Property } from '../../spec/language/index.js'
import { primitiveOf } from './properties.js'

/** The facets that restrict single values, and those that restrict lists. */
export type FacetName = Exclude<keyof Facets, 'unicode' | 'srid'>

export const facetNames: readonly FacetName[] = [
  'minLength',
  'maxLength',
  'pattern',
  'minimum',
  'maximum',
  'precision',
  'scale',
  'minItems',
  'maxItems',
]

type Restricted = Facets & Pick<Property, 'type'>

/** Longer texts are not matched with a pattern: a pattern that backtracks could take very long. */
const maxMatched = 1_000

const knownFacets = new WeakMap<Restricted, Facets>()

/** The facets of a property, with those that its type definition adds. */
export function facetsOf(declared: Restricted): Facets {
  const known = knownFacets.get(declared) ?? effectiveFacets(declared)
  knownFacets.set(declared, known)
  return known
}

function effectiveFacets({ type, ...own }: Restricted): Facets {
  if (type.kind !== 'typeDefinition') return own
  const { minLength, maxLength, minimum, maximum, pattern, precision, scale } = type
  const inherited = { minLength, maxLength, minimum, maximum, pattern, precision, scale }
  return { ...withoutUndefined(inherited), ...withoutUndefined(own) }
}

function withoutUndefined(facets: { readonly [Name in keyof Facets]?: Facets[Name] | undefined }): Facets {
  return Object.fromEntries(Object.entries(facets).filter(([, value]) => value !== undefined))
}

/** The first facet that a single value does not meet. Values of another type than the declared one meet all facets. */
export function brokenFacet(value: unknown, declared: Restricted): FacetName | undefined {
  if (typeof value !== 'string' && typeof value !== 'number') return undefined
  const facets = facetsOf(declared)
  const primitive = primitiveOf(declared.type)
  if (primitive === 'String' && typeof value === 'string') return brokenByText(value, facets)
  if (primitive === 'Binary' && typeof value === 'string') {
    const bytes = Math.floor((value.replace(/=+$/, '').length * 3) / 4)
    return bytes > (facets.maxLength ?? Number.POSITIVE_INFINITY) ? 'maxLength' : undefined
  }
  if (primitive === 'DateTimeOffset' || primitive === 'TimeOfDay' || primitive === 'Duration') {
    return fractionOf(String(value)).length > (facets.precision ?? Number.POSITIVE_INFINITY) ? 'precision' : undefined
  }
  return brokenByNumber(value, facets, primitive === 'Decimal')
}

function brokenByText(text: string, { minLength = 0, maxLength, pattern }: Facets): FacetName | undefined {
  // A character is a code unit or a code point: services count one or the other.
  if (text.length < minLength) return 'minLength'
  if (maxLength !== undefined && text.length > maxLength && [...text].length > maxLength) return 'maxLength'
  if (pattern === undefined || text.length > maxMatched) return undefined
  return patternOf(pattern)?.test(text) === false ? 'pattern' : undefined
}

const patterns = new Map<string, RegExp | undefined>()

/** Undefined if the pattern is not valid in ECMAScript. The cache is bounded by the number of patterns in the spec. */
function patternOf(source: string): RegExp | undefined {
  if (!patterns.has(source)) {
    try {
      patterns.set(source, new RegExp(source, 'u'))
    } catch {
      patterns.set(source, undefined)
    }
  }
  return patterns.get(source)
}

function brokenByNumber(value: string | number, facets: Facets, isDecimal: boolean): FacetName | undefined {
  const { minimum, maximum, precision, scale } = facets
  if (minimum !== undefined && Number(value) < minimum) return 'minimum'
  if (maximum !== undefined && Number(value) > maximum) return 'maximum'
  const text = String(value)
  if (!isDecimal || /e/i.test(text)) return undefined
  const fraction = fractionOf(text)
  if (typeof scale === 'number' && fraction.length > scale) return 'scale'
  const whole = (/^[-+]?(\d*)/.exec(text)?.[1] ?? '').replace(/^0+/, '')
  return precision !== undefined && whole.length + fraction.length > precision ? 'precision' : undefined
}

/** The digits after the point, without zeros at the end. */
function fractionOf(text: string): string {
  return (/\.(\d*)/.exec(text)?.[1] ?? '').replace(/0+$/, '')
}

/** The facet that the length of a list does not meet. */
export function brokenListFacet(length: number, { minItems = 0, maxItems }: Facets): FacetName | undefined {
  if (length < minItems) return 'minItems'
  return maxItems !== undefined && length > maxItems ? 'maxItems' : undefined
}

/** What a facet demands, as the end of a sentence: `a string of at most 40 characters`. */
export function facetForm(name: FacetName, declared: Restricted): string {
  const limit = String(facetsOf(declared)[name])
  switch (name) {
    case 'minLength':
      return `a string of at least ${limit} characters`
    case 'maxLength':
      return primitiveOf(declared.type) === 'Binary'
        ? `a binary value of at most ${limit} bytes`
        : `a string of at most ${limit} characters`
    case 'pattern':
      return `a string that matches ${limit}`
    case 'minimum':
      return `a number of at least ${limit}`
    case 'maximum':
      return `a number of at most ${limit}`
    case 'precision':
      return primitiveOf(declared.type) === 'Decimal'
        ? `a number of at most ${limit} digits`
        : `a time with at most ${limit} digits of a second's fraction`
    case 'scale':
      return `a number with at most ${limit} digits after the point`
    case 'minItems':
      return `a list of at least ${limit} items`
    case 'maxItems':
      return `a list of at most ${limit} items`
  }
}
