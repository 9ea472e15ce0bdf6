import { xmlText } from './xml-text.js'

/** An element; attributes that are undefined are left out. */
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

/** An element as lines, indented by two spaces a level. */
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
