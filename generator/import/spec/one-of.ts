/** A word, when it is one of some. */
export function oneOf<Word extends string>(word: string | undefined, words: readonly Word[]): Word | undefined {
  return words.find(each => each === word)
}
