/** A type's name as prose, with its article: `driveItem` becomes `a drive item`. */
export function words(name: string): string {
  const plain = name.replace(/(\p{Ll}|\d)(?=\p{Lu})/gu, '$1 ').toLowerCase()
  return `${/^(?:[aeio]|u(?!ni|s|t))/.test(plain) ? 'an' : 'a'} ${plain}`
}
