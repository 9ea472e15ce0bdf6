/** A set of characters: ranges of code points in ascending order that neither overlap nor touch. */
export type CharacterSet = readonly CharacterRange[]

/** The first and the last code point of a range, both inclusive. */
type CharacterRange = readonly [first: number, last: number]

const lastCodePoint = 0x10_ff_ff

/** The union of ranges. */
function characterSet(ranges: readonly CharacterRange[]): CharacterSet {
  const found: [number, number][] = []
  for (const [first, last] of [...ranges].sort(([a], [b]) => a - b)) {
    const before = found.at(-1)
    if (before !== undefined && first <= before[1] + 1) before[1] = Math.max(before[1], last)
    else found.push([first, last])
  }
  return found
}

function complementOf(set: CharacterSet): CharacterSet {
  const found: CharacterRange[] = []
  let next = 0
  for (const [first, last] of set) {
    if (first > next) found.push([next, first - 1])
    next = last + 1
  }
  return next > lastCodePoint ? found : [...found, [next, lastCodePoint]]
}

/** Consecutive characters with the same length in UTF-16. */
interface Stretch {
  readonly first: number
  readonly text: string
  /** The number of code units of each character. */
  readonly width: 1 | 2
}

/** There are about a hundred Unicode properties. The cache is never cleared. */
const known = new Map<string, CharacterSet>()
let stretches: readonly Stretch[] | undefined

/**
 * The characters of a property escape such as `\p{Lu}`, in the Unicode version of this process. The engine's version may
 * differ. Surrogates are in no set.
 */
function propertySet(source: string): CharacterSet {
  const found = known.get(source) ?? setOf(new RegExp(`${source}+`, 'gu'))
  known.set(source, found)
  return found
}

function setOf(run: RegExp): CharacterSet {
  stretches ??= [stretch(0, 0xd7_ff, 1), stretch(0xe0_00, 0xff_ff, 1), stretch(0x1_00_00, 0x10_ff_ff, 2)]
  return characterSet(
    stretches.flatMap(({ first, text, width }) =>
      [...text.matchAll(run)].map(({ index, 0: { length } }) => {
        const start = first + index / width
        return [start, start + length / width - 1] as const
      }),
    ),
  )
}

/** The number of code points to convert at once. */
const chunk = 0x8_00

function stretch(first: number, last: number, width: 1 | 2): Stretch {
  const parts: string[] = []
  for (let start = first; start <= last; start += chunk) {
    parts.push(String.fromCodePoint(...Array.from({ length: chunk }, (_, index) => start + index)))
  }
  return { first, text: parts.join(''), width }
}

const digits = characterSet([[0x30, 0x39]])
const words = characterSet([
  [0x30, 0x39],
  [0x41, 0x5a],
  [0x5f, 0x5f],
  [0x61, 0x7a],
])
const spaces = characterSet([
  [0x09, 0x0d],
  [0x20, 0x20],
  [0xa0, 0xa0],
  [0x16_80, 0x16_80],
  [0x20_00, 0x20_0a],
  [0x20_28, 0x20_29],
  [0x20_2f, 0x20_2f],
  [0x20_5f, 0x20_5f],
  [0x30_00, 0x30_00],
  [0xfe_ff, 0xfe_ff],
])
const lineEnds = characterSet([
  [0x0a, 0x0a],
  [0x0d, 0x0d],
  [0x20_28, 0x20_29],
])

const classes: ReadonlyMap<string, CharacterSet> = new Map([
  ['.', complementOf(lineEnds)],
  ['\\d', digits],
  ['\\D', complementOf(digits)],
  ['\\w', words],
  ['\\W', complementOf(words)],
  ['\\s', spaces],
  ['\\S', complementOf(spaces)],
])

/**
 * The characters that an atom of a pattern matches, such as `a`, `.`, `\d`, `\u{1F600}`, `\p{Lu}` or `[^a-z]`. The atom is
 * valid with the flag `u`.
 *
 * @see ECMA-262, 22.2.2 (pattern semantics)
 */
export function atomSet(source: string): CharacterSet {
  if (source.startsWith('[')) return classSet(source)
  return classes.get(source) ?? escapedSet(source) ?? single(codePointOf(source))
}

function escapedSet(source: string): CharacterSet | undefined {
  if (source.startsWith('\\p')) return propertySet(source)
  return source.startsWith('\\P') ? complementOf(propertySet(`\\p${source.slice(2)}`)) : undefined
}

const member =
  /\\(?:[pP]\{[^}]*\}|u\{[^}]*\}|u[Dd][89ABab][0-9A-Fa-f]{2}\\u[Dd][C-Fc-f][0-9A-Fa-f]{2}|u[0-9A-Fa-f]{4}|x[0-9A-Fa-f]{2}|c[A-Za-z]|.)|./gsu

function classSet(source: string): CharacterSet {
  const isNegated = source.startsWith('[^')
  const members = source.slice(isNegated ? 2 : 1, -1).match(member) ?? []
  const ranges: CharacterRange[] = []
  for (let index = 0; index < members.length; index += 1) {
    const source = members[index] ?? ''
    const last = members[index + 2]
    const set = source === '.' ? undefined : (classes.get(source) ?? escapedSet(source))
    if (set !== undefined) {
      ranges.push(...set)
    } else if (members[index + 1] === '-' && last !== undefined) {
      ranges.push([codePointOf(source), codePointOf(last)])
      index += 2
    } else {
      ranges.push([codePointOf(source), codePointOf(source)])
    }
  }
  const set = characterSet(ranges)
  return isNegated ? complementOf(set) : set
}

function single(codePoint: number): CharacterSet {
  return [[codePoint, codePoint]]
}

const controls: ReadonlyMap<string, number> = new Map([
  ['\\0', 0x00],
  ['\\b', 0x08],
  ['\\t', 0x09],
  ['\\n', 0x0a],
  ['\\v', 0x0b],
  ['\\f', 0x0c],
  ['\\r', 0x0d],
])

/** The single character of an escape sequence. */
function codePointOf(source: string): number {
  if (!source.startsWith('\\')) return source.codePointAt(0) ?? 0
  const control = controls.get(source)
  if (control !== undefined) return control
  if (source.startsWith('\\c')) return (source.codePointAt(2) ?? 0) % 0x20
  const units = [...source.matchAll(/\\[ux]\{?([0-9A-Fa-f]+)\}?/g)].map(([, hex = '']) => Number.parseInt(hex, 16))
  const [first, second] = units
  if (first === undefined) return source.codePointAt(1) ?? 0
  return second === undefined ? first : (String.fromCharCode(first, second).codePointAt(0) ?? 0)
}
