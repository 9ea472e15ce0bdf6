const word = /[\p{L}\p{N}]+/gu

/** Longer words are cut, in texts and in searches alike: an index has a limit to its entries. */
const longestWord = 100

/** The words of a text, in lower case, in order: runs of letters and digits. */
export function wordsOf(text: string): readonly string[] {
  return text.toLowerCase().match(word)?.map(shortened) ?? []
}

/** The whole of a text as one word, for properties whose beginning is searched. */
export function wholeWord(text: string): string {
  return shortened(text.toLowerCase())
}

function shortened(text: string): string {
  return text.length <= longestWord ? text : [...text].slice(0, longestWord).join('')
}
