/**
 * Characters that a terminal obeys or hides instead of showing: controls, line separators, direction marks, invisible
 * format characters, halves of surrogate pairs.
 */
const hidden =
  /[\0-\x1F\x7F-\x9F\u00AD\u061C\u180E\u200B-\u200F\u2028-\u202E\u2060-\u206F\uFEFF\uFFF9-\uFFFB]|[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/g

/** The text with such characters as escapes, `\u001B`, so that text from a spec can do nothing but be read. */
export function visibleText(text: string): string {
  return text.replace(hidden, character => `\\u${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`)
}
