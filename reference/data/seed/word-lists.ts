/** Given names from several languages. */
export const givenNames = list(`
  Ada Björn Chloé Dmitri Émile Fatima Grace Hiroshi Ingrid José Kofi Łukasz Mei Noor Oluwaseun Pilar Quentin Ravi Seán
  Tomás Ürsula Valentina Wen Xochitl Yuki Zoë
`)

/** Family names with apostrophes, spaces and letters outside ASCII. */
export const familyNames = list(`
  Adeyemi Brontë Castellanos D'Angelo Eriksson Fischer García Hâncu Ibáñez Jóhannsdóttir Kovač Lindgren Müller Nguyễn
  O'Brien Papadopoulos Qureshi Rossi Śarma Tanaka van_der_Berg Weiß Xu Yıldız Zhang
`)

/** Nouns and adjectives that can be combined. */
export const words = list(`
  amber anchor apple autumn basin beacon birch blue bridge budget canyon cedar cloud copper coral crystal delta desert
  dawn echo ember falcon field forest garden glacier golden granite harbour hazel horizon island ivory jade juniper
  kestrel lagoon lantern marble meadow meeting mist north ocean olive onyx orchard pebble pine plan prairie quartz quiet
  raven report review river rose saffron sierra silver sparrow spring stone summer sunset timber topaz valley velvet
  violet walnut willow winter
`)

/** Texts that break code with wrong assumptions about text. */
export const awkwardTexts = [
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

/** The words of a text. An underscore stands for a space inside a word. */
function list(text: string): readonly [string, ...string[]] {
  const [first = '', ...others] = text
    .trim()
    .split(/\s+/)
    .map(word => word.replaceAll('_', ' '))
  return [first, ...others]
}
