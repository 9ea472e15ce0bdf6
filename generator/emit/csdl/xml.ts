/** An element. Undefined attributes are omitted. */
export interface XmlElement {
  readonly name: string
  readonly attributes: readonly (readonly [name: string, value: string | number | boolean | undefined])[]
  readonly children: readonly XmlElement[]
  /** Content, for an element without children. */
  readonly text?: string
}

export function xmlElement(
  name: string,
  attributes: XmlElement['attributes'],
  children: readonly XmlElement[] = [],
): XmlElement {
  return { name, attributes, children }
}

/** An element as lines, indented by two spaces for each level. */
export function xmlLines(element: XmlElement): readonly string[] {
  const lines: string[] = []
  writeLines(element, '', lines)
  return lines
}

function writeLines({ name, attributes, children, text }: XmlElement, indentation: string, lines: string[]): void {
  let start = `${indentation}<${name}`
  for (const [attribute, value] of attributes) {
    if (value !== undefined) start += ` ${attribute}="${xmlText(String(value))}"`
  }
  if (text !== undefined) lines.push(`${start}>${xmlText(text)}</${name}>`)
  else if (children.length === 0) lines.push(`${start}/>`)
  else {
    lines.push(`${start}>`)
    for (const child of children) writeLines(child, `${indentation}  `, lines)
    lines.push(`${indentation}</${name}>`)
  }
}

/**
 * Characters that XML 1.0 does not allow, even escaped: controls, lone surrogates, and two noncharacters.
 *
 * @see XML 1.0, 2.2 (Char)
 */
const impossible = /[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]|\p{Cs}/gu

const references: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  // A parser converts these to spaces in attributes, and carriage returns to line feeds anywhere.
  '\t': '&#9;',
  '\n': '&#10;',
  '\r': '&#13;',
  // XML 1.1 and some parsers treat these as line ends.
  '\x85': '&#133;',
  '\u2028': '&#8232;',
}

/** A text as the value of an attribute in double quotes, or as content. Characters that XML does not allow become U+FFFD. */
export function xmlText(text: string): string {
  return plain.test(text) ? text : escaped(text)
}

/** Printable ASCII without the characters that XML reserves. Most texts of a spec match, and need no escaping. */
const plain = /^[ !#-%'-;=?-~]*$/

function escaped(text: string): string {
  return text
    .replace(impossible, '\ufffd')
    .replace(/[&<>"\t\n\r\x85\u2028]/g, character => references[character] ?? character)
}

/** A text as a comment. Two hyphens would end it, so a space separates them. */
export function xmlComment(text: string): string {
  const plain = text.replace(impossible, '\ufffd').replace(/-(?=-|$)/g, '- ')
  return `<!-- ${plain} -->`
}
