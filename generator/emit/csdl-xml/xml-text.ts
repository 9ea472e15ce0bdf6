/**
 * Characters that XML 1.0 cannot hold, not even escaped: controls, lone surrogates, and the two that are no characters.
 *
 * @see XML 1.0, 2.2 (Char)
 */
const impossible = /[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]|\p{Cs}/gu

const references: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  // A parser makes spaces of these in attributes, and one line feed of carriage returns anywhere.
  '\t': '&#9;',
  '\n': '&#10;',
  '\r': '&#13;',
  // XML 1.1 and some parsers take these for line ends.
  '\x85': '&#133;',
  '\u2028': '&#8232;',
}

/** A text as the value of an attribute in double quotes, or as content. What XML cannot hold becomes U+FFFD. */
export function xmlText(text: string): string {
  return plain.test(text) ? text : escaped(text)
}

/** Printable ASCII without what XML takes for itself: nearly all that a spec says, told apart quickly. */
const plain = /^[ !#-%'-;=?-~]*$/

function escaped(text: string): string {
  return text
    .replace(impossible, '\ufffd')
    .replace(/[&<>"\t\n\r\x85\u2028]/g, character => references[character] ?? character)
}

/** A text as a comment: two hyphens end one, so they are parted. */
export function xmlComment(text: string): string {
  const plain = text.replace(impossible, '\ufffd').replace(/-(?=-|$)/g, '- ')
  return `<!-- ${plain} -->`
}
