/** What is left of a text when everything goes that some order may pass over: case, accents, spaces, punctuation. */
export function folded(text: string): string {
  return text
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '')
}
