/**
 * Texts that tell apart what services confuse: quotes, wildcards of other languages, what URLs encode, letters of two
 * cases, with accents and beyond the first plane, spaces at the end, and words that a grammar knows.
 */
export const awkwardTexts: readonly string[] = [
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

/** A few texts for properties whose values many rows share. */
export const sharedTexts: readonly string[] = ['Sales', 'Support', 'R&D', 'sales']
