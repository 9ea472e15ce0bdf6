import fc from 'fast-check'

const special = [
  '',
  "'",
  "O'Neil",
  "''",
  '"',
  '\\',
  'a&b=c',
  '100%',
  '%41',
  'a+b',
  '#',
  '?',
  ';',
  'ü',
  '😀',
  ' x ',
  '\t',
  '\n',
  '\0',
]

/** Texts with and without characters that mean something to the grammar or to a URL. */
export const textArbitrary: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(...special),
  fc.string({ maxLength: 12 }),
  fc.string({ unit: 'binary', maxLength: 6 }),
)
