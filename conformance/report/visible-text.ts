/**
 * Makes control and format characters visible, among them those that change the direction of text, so that a response
 * can control neither a terminal nor how a report reads. Line feeds stay.
 */
export function escapeControls(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, character => {
    if (character === '\n') return '\n'
    return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`
  })
}

/**
 * Disarms commands to a CI runner in a text for its log: `::add-mask::` at the start of a line, and `##[group]` or
 * `##vso[task.setvariable]` anywhere.
 */
export function disarmCommands(text: string): string {
  return text.replaceAll(/^(\s*)::/gm, String.raw`$1\::`).replaceAll(/##(?=\[|vso\[)/gi, String.raw`#\#`)
}
