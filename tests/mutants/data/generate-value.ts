import type { PrimitiveTypeName, Property, StructuredType, ValueType } from '../../../spec/language/index.js'
import type { Json } from '../service/json.js'

/** The row and the property for which a value is generated. */
interface ValuePosition {
  readonly row: number
  readonly property: number
  readonly random: () => number
}

/**
 * A value of a property for one row. Over all rows, every class of values occurs that distinguishes faulty services from
 * correct ones.
 */
export function generateValue(property: Property, spot: ValuePosition): Json {
  const { row } = spot
  if (property.collection) {
    // Some collections are empty, and adjacent rows have different lengths.
    const length = Math.min([2, 0, 1, 3][row % 4] ?? 0, property.maxItems ?? 3)
    const items = Array.from({ length }, (_, index) => generateSingle(property, { ...spot, row: row * 3 + index }))
    return items
  }
  if (property.nullable && (row * 3 + spot.property) % 7 === 3) return null
  return generateSingle(property, spot)
}

function generateSingle(property: Property, spot: ValuePosition): Json {
  const { type } = property
  switch (type.kind) {
    case 'primitive':
      return generatePrimitive(type.name, property, spot)
    case 'typeDefinition':
      return generatePrimitive(type.underlying, { ...type, ...property, ...patternOf(type) }, spot)
    case 'enumType': {
      const names = type.members.map(({ name }) => name)
      const [first, second] = [names[spot.row % names.length], names[(spot.row * 2 + 1) % names.length]]
      const both = type.flags && spot.row % 3 === 2 && first !== second
      return both ? `${first},${second}` : (first ?? null)
    }
    default:
      return generateComplex(type, spot)
  }
}

function patternOf(type: ValueType): Pick<Property, 'pattern' | 'maxLength'> {
  if (type.kind !== 'typeDefinition') return {}
  const { pattern, maxLength } = type
  return { ...(pattern === undefined ? {} : { pattern }), ...(maxLength === undefined ? {} : { maxLength }) }
}

function generateComplex(type: StructuredType, spot: ValuePosition): Json {
  return Object.fromEntries(
    type.properties.map((property, index) => [
      property.name,
      generateValue(property, { ...spot, property: spot.property + index }),
    ]),
  )
}

type Facets = Pick<
  Property,
  'minLength' | 'maxLength' | 'minimum' | 'maximum' | 'pattern' | 'scale' | 'precision' | 'unique'
>

function generatePrimitive(name: PrimitiveTypeName, facets: Facets, spot: ValuePosition): Json {
  switch (name) {
    case 'String':
      return generateText(facets, spot)
    case 'Boolean':
      return (spot.row + spot.property) % 2 === 0
    case 'DateTimeOffset':
      return instants[(spot.row + spot.property) % instants.length] ?? null
    case 'Date':
      return `${2024 + (spot.row % 3)}-0${1 + (spot.row % 9)}-${10 + ((spot.row * 7 + spot.property) % 19)}`
    case 'TimeOfDay':
      return `${String(8 + (spot.row % 12)).padStart(2, '0')}:${spot.row % 2 === 0 ? '00' : '30'}:00`
    case 'Duration':
      return durations[(spot.row + spot.property) % durations.length] ?? null
    case 'Guid':
      return `0b6a1d1e-7c55-4f0e-9d0a-${String(1 + ((spot.row * 5 + spot.property) % 40)).padStart(12, '0')}`
    case 'Binary':
      return ['', 'AAEC', '_-8'][spot.row % 3] ?? null
    case 'Stream':
      return null
    default:
      return name.startsWith('Geo') ? generateGeography(name, spot) : generateNumber(name, facets, spot)
  }
}

/** One second with and without a fraction, the adjacent seconds, other days and years. */
const instants: readonly string[] = [
  '2026-03-01T10:00:00Z',
  '2026-03-01T10:00:00.5Z',
  '2026-03-01T10:00:01Z',
  '2026-03-01T09:59:59Z',
  '2026-03-01T10:00:00.25Z',
  '2026-03-02T00:00:00Z',
  '2025-12-31T23:59:59Z',
  '2026-03-01T23:30:00Z',
  '2026-11-05T06:07:08Z',
  '2026-03-01T10:00:00.123Z',
]

const durations: readonly string[] = ['PT1H', 'P1D', 'PT90M', 'PT30S', 'P1DT2H3M4S', 'PT24H', 'PT0S']

function generateText(
  { minLength = 0, maxLength, pattern, unique }: Facets,
  { row, property, random: pick }: ValuePosition,
): string {
  if (pattern !== undefined) {
    for (let attempt = 0; attempt < 20; attempt++) {
      const text = generateFromPattern(pattern, pick)
      if (text.length >= minLength && text.length <= (maxLength ?? text.length)) return text
    }
  }
  const awkward = awkwardTexts[(row * 7 + property) % awkwardTexts.length] ?? ''
  if (unique) return `${awkward.slice(0, 20)}-${row}`
  const isShared = property % 3 === 2
  const text = isShared ? (sharedTexts[row % sharedTexts.length] ?? '') : awkward
  if (text.length > (maxLength ?? text.length)) return text.slice(0, maxLength).trim().padEnd(minLength, 'x')
  return text.padEnd(minLength, 'x')
}

const most: Readonly<Partial<Record<PrimitiveTypeName, number>>> = { Byte: 255, SByte: 127, Int16: 32_767 }

function generateNumber(
  name: PrimitiveTypeName,
  { minimum, maximum, scale }: Facets,
  { row, property }: ValuePosition,
): number {
  const least = minimum ?? (name === 'SByte' ? -50 : 0)
  const largest = Math.min(maximum ?? Number.POSITIVE_INFINITY, most[name] ?? Number.POSITIVE_INFINITY, least + 1200)
  // With different numbers of digits, so that text order differs from numeric order.
  const steps = [0, 9, 10, 2, 100, 1000, 11, 99, 25, 3]
  const step = steps[(row + property) % steps.length] ?? 0
  const number = least + (step % (largest - least + 1))
  if (name === 'Decimal') return number + (scale === 0 || number >= largest ? 0 : ((row % 4) * 25) / 100)
  return (name === 'Double' || name === 'Single') && number < largest ? number + (row % 2) / 2 : number
}

function generateGeography(name: PrimitiveTypeName, { row }: ValuePosition): Json {
  const point = [10 + row, 53.5]
  const ring = [point, [11 + row, 53.5], [11 + row, 54.5], point]
  if (name.endsWith('MultiPolygon')) return { type: 'MultiPolygon', coordinates: [[ring]] }
  if (name.endsWith('MultiLineString')) return { type: 'MultiLineString', coordinates: [ring] }
  if (name.endsWith('MultiPoint')) return { type: 'MultiPoint', coordinates: [point] }
  if (name.endsWith('Polygon')) return { type: 'Polygon', coordinates: [ring] }
  if (name.endsWith('LineString')) return { type: 'LineString', coordinates: ring }
  if (name.endsWith('Collection')) return { type: 'GeometryCollection', geometries: [] }
  return { type: 'Point', coordinates: point }
}

/**
 * Generates a text that matches a regular expression. Supports what specs use for keys and codes: anchors, characters,
 * classes and quantifiers.
 */
export function generateFromPattern(pattern: string, pick: () => number): string {
  let text = ''
  let rest = pattern.replace(/^\^/, '').replace(/\$$/, '')
  while (rest !== '') {
    const { characters, length } = nextAtom(rest)
    rest = rest.slice(length)
    const count = nextCount(rest)
    rest = rest.slice(count.length)
    const times = count.least + Math.floor(pick() * (count.most - count.least + 1))
    for (let index = 0; index < times; index++) text += characters[Math.floor(pick() * characters.length)] ?? ''
  }
  return text
}

interface Atom {
  readonly characters: readonly string[]
  /** Number of characters of the pattern that it consumes. */
  readonly length: number
}

function nextAtom(pattern: string): Atom {
  if (pattern.startsWith('\\')) return { characters: [pattern.charAt(1)], length: 2 }
  if (!pattern.startsWith('[')) return { characters: [pattern.charAt(0)], length: 1 }
  const characters: string[] = []
  let index = 1
  while (index < pattern.length && pattern[index] !== ']') {
    const escaped = pattern[index] === '\\' ? 1 : 0
    const from = pattern.charCodeAt(index + escaped)
    index += 1 + escaped
    let to = from
    if (pattern[index] === '-' && pattern[index + 1] !== ']') {
      to = pattern.charCodeAt(index + 1)
      index += 2
    }
    for (let code = from; code <= to; code++) characters.push(String.fromCharCode(code))
  }
  return { characters, length: index + 1 }
}

interface Count {
  readonly least: number
  readonly most: number
  readonly length: number
}

function nextCount(pattern: string): Count {
  if (pattern.startsWith('+')) return { least: 3, most: 8, length: 1 }
  if (pattern.startsWith('*')) return { least: 0, most: 4, length: 1 }
  if (pattern.startsWith('?')) return { least: 0, most: 1, length: 1 }
  const match = /^\{(\d+)(?:,(\d+))?\}/.exec(pattern)
  if (match === null) return { least: 1, most: 1, length: 0 }
  const [whole, least = '1', most = least] = match
  return { least: Number(least), most: Number(most), length: whole.length }
}

/**
 * Texts that services often mishandle: quotes, wildcards of other languages, characters that URLs encode, upper and lower
 * case, accents, characters outside the Basic Multilingual Plane, trailing spaces, and keywords of the grammar.
 */
const awkwardTexts: readonly string[] = [
  'Alpha',
  'alpha',
  'Beta Gamma',
  "O'Neil",
  '100% sure',
  'under_score',
  'a+b',
  'R&D team',
  'C# guild',
  'back\\slash',
  'x.y',
  'xzy',
  'Émile',
  'Emile',
  'Zoë straße',
  'smile 😀 face',
  'semi;colon, comma',
  'say "hello"',
  'star*',
  '(paren) a/b?',
  'Alpha Beta',
  'Alpha ',
  "it''s",
  'ALPHABET',
  'Caf\u00e9',
  'Cafe\u0301',
  'null',
  'Gamma or Delta',
  'delta',
  'Alphonse',
  '100 sure',
  'underXscore',
  '=equals=',
  'über alles',
  'a b',
  '<b>bold</b>',
]

/** Values for properties whose values many rows share. */
const sharedTexts: readonly string[] = ['Sales', 'Support', 'R&D', 'sales']
