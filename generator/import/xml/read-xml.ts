import { SaxesParser, type SaxesTagNS } from 'saxes'
import type { CsdlElement } from '../csdl/csdl-element.js'
import { type Finding, fault } from '../finding.js'

/** Deeper than any metadata, and shallow enough for every stack. */
const deepest = 100

interface OpenElement extends CsdlElement {
  readonly children: CsdlElement[]
  text: string
}

/** Elements and attributes: twenty times those of the largest public service, and what a gigabyte of memory can hold. */
const mostParts = 1_000_000

/** Stops the parser: what it would say next only follows from this. */
class XmlFault extends Error {
  readonly finding: Finding
  constructor(finding: Finding) {
    super(finding.message)
    this.finding = finding
  }
}

/**
 * Reads XML into elements. A document type is refused, so that no entity is ever expanded but the five of XML itself.
 *
 * @see XML 1.0 and Namespaces in XML 1.0
 */
export function readXml(text: string): CsdlElement | Finding {
  const parser = new SaxesParser({ xmlns: true, position: true })
  const open: OpenElement[] = []
  let root: CsdlElement | undefined
  let start = 0
  let parts = 0
  const refuse = (code: string, message: string, spot: number): never => {
    throw new XmlFault(fault(code, message, spot))
  }
  parser.on('error', error => {
    refuse('not-well-formed', `The document is no well-formed XML: ${explained(error.message)}.`, parser.position - 1)
  })
  parser.on('doctype', () => {
    const message = 'The document has a document type (DTD), which metadata never needs. Remove it.'
    refuse('document-type', message, Math.max(0, text.indexOf('<!DOCTYPE')))
  })
  parser.on('opentagstart', () => {
    start = text.lastIndexOf('<', parser.position - 1)
  })
  parser.on('opentag', tag => {
    if (open.length === deepest) {
      refuse('too-deep', `Elements are nested more than ${deepest} deep; no metadata is.`, start)
    }
    parts += 1 + Object.keys(tag.attributes).length
    if (parts > mostParts) refuse('too-large', `There are more than ${mostParts} elements and attributes.`, start)
    const element: OpenElement = {
      name: tag.local,
      attributes: attributesOf(tag),
      children: [],
      text: '',
      spot: start,
    }
    open.at(-1)?.children.push(element)
    root ??= element
    open.push(element)
  })
  parser.on('closetag', () => void open.pop())
  const addText = (part: string): void => {
    const element = open.at(-1)
    if (element !== undefined) element.text += part
  }
  parser.on('text', addText)
  parser.on('cdata', addText)
  try {
    parser.write(text).close()
  } catch (error) {
    if (error instanceof XmlFault) return error.finding
    throw error
  }
  return root ?? fault('not-well-formed', 'The document is empty.', 0)
}

/** The parser's words without the place, which stands beside them, and without its full stop. */
const explained = (message: string): string => message.replace(/^\d+:\d+: /, '').replace(/\.$/, '')

/** The namespace of the element itself stands under `xmlns`. */
function attributesOf(tag: SaxesTagNS): ReadonlyMap<string, string> {
  const attributes = new Map<string, string>([['xmlns', tag.uri]])
  for (const attribute of Object.values(tag.attributes)) {
    if (attribute.uri === '') attributes.set(attribute.local, attribute.value)
    else if (attribute.prefix !== 'xmlns') attributes.set(`{${attribute.uri}}${attribute.local}`, attribute.value)
  }
  return attributes
}
