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
export function xmlLines({ name, attributes, children, text }: XmlElement, indentation = ''): readonly string[] {
  const written = attributes.flatMap(([attribute, value]) =>
    value === undefined ? [] : [` ${attribute}="${xmlText(String(value))}"`],
  )
  const start = `${indentation}<${name}${written.join('')}`
  if (text !== undefined) return [`${start}>${xmlText(text)}</${name}>`]
  if (children.length === 0) return [`${start}/>`]
  return [`${start}>`, ...children.flatMap(child => xmlLines(child, `${indentation}  `)), `${indentation}</${name}>`]
}
