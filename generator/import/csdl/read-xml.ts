import { SaxesParser, type SaxesTagNS } from 'saxes'
import { type Finding, importError, omission, type ReportFinding } from '../finding.js'
import type { CsdlElement } from './csdl-element.js'

/** Deeper than any metadata, and shallow enough for every stack. */
const deepest = 100

interface OpenElement extends CsdlElement {
  readonly children: CsdlElement[]
  text: string
}

/** Elements and attributes: twenty times those of the largest public service, which fit in a gigabyte of memory. */
const mostParts = 1_000_000

/** Stops the parser, because further errors would only be consequences. */
class XmlFault extends Error {
  readonly finding: Finding
  constructor(finding: Finding) {
    super(finding.message)
    this.finding = finding
  }
}

/**
 * Reads XML into elements. Rejects a document type declaration, so only the five entities of XML itself are expanded.
 *
 * @see XML 1.0 and Namespaces in XML 1.0
 */
export function readXml(text: string): CsdlElement | Finding {
  const excess = excessIn(text)
  if (excess !== undefined) {
    return importError('too-large', `There are more than ${mostParts} elements and attributes.`, excess)
  }
  const parser = new SaxesParser({ xmlns: true, position: true })
  const open: OpenElement[] = []
  let root: CsdlElement | undefined
  let start = 0
  const refuse = (code: string, message: string, location: number): never => {
    throw new XmlFault(importError(code, message, location))
  }
  parser.on('error', error => {
    refuse(
      'not-well-formed',
      `The document is not well-formed XML: ${parserMessage(error.message)}.`,
      parser.position - 1,
    )
  })
  parser.on('doctype', () => {
    const message = 'The document has a document type declaration (DTD), which metadata does not need. Remove it.'
    refuse('document-type', message, Math.max(0, text.indexOf('<!DOCTYPE')))
  })
  parser.on('opentagstart', () => {
    start = text.lastIndexOf('<', parser.position - 1)
  })
  parser.on('opentag', tag => {
    if (open.length === deepest) {
      refuse('too-deep', `Elements are nested more than ${deepest} levels deep, which is the limit.`, start)
    }
    const element: OpenElement = {
      name: tag.local,
      attributes: attributesOf(tag),
      children: [],
      text: '',
      location: start,
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
  return root ?? importError('not-well-formed', 'The document is empty.', 0)
}

/** What a tag, and only a tag, begins with. */
const tagStart = /<(?:!--|!\[CDATA\[|\?|[^\s<>/!?])/g

/** The ends of what is no tag. */
const ends: ReadonlyMap<string, string> = new Map([
  ['<!--', '-->'],
  ['<![CDATA[', ']]>'],
  ['<?', '?>'],
])

/** An attribute with its value, or the end of the tag. */
const attributeOrEnd = /=\s*(?:"[^"]*"|'[^']*')|>/g

/**
 * Where a document has more elements and attributes than the limit; undefined if it does not. A parser would find that out
 * only after seconds. Where this count differs from that of the parser, the document is not well-formed before that place.
 */
function excessIn(text: string): number | undefined {
  let parts = 0
  tagStart.lastIndex = 0
  for (let tag = tagStart.exec(text); tag !== null; tag = tagStart.exec(text)) {
    const end = ends.get(tag[0])
    if (end !== undefined) {
      const found = text.indexOf(end, tagStart.lastIndex)
      if (found < 0) return undefined
      tagStart.lastIndex = found + end.length
      continue
    }
    parts++
    attributeOrEnd.lastIndex = tagStart.lastIndex
    let part = attributeOrEnd.exec(text)
    for (; part !== null && part[0] !== '>'; part = attributeOrEnd.exec(text)) parts++
    if (parts > mostParts) return tag.index
    if (part === null) return undefined
    tagStart.lastIndex = attributeOrEnd.lastIndex
  }
  return undefined
}

/** The message of the parser without the location, which is reported separately, and without the full stop. */
const parserMessage = (message: string): string => message.replace(/^\d+:\d+: /, '').replace(/\.$/, '')

/** The namespace of the element itself is under `xmlns`. */
function attributesOf(tag: SaxesTagNS): ReadonlyMap<string, string> {
  const attributes = new Map<string, string>([['xmlns', tag.uri]])
  for (const attribute of Object.values(tag.attributes)) {
    if (attribute.uri === '') attributes.set(attribute.local, attribute.value)
    else if (attribute.prefix !== 'xmlns') attributes.set(`{${attribute.uri}}${attribute.local}`, attribute.value)
  }
  return attributes
}

const edmx = 'http://docs.oasis-open.org/odata/ns/edmx'
const edm = 'http://docs.oasis-open.org/odata/ns/edm'

/** The namespace of EDMX in the versions of OData before the fourth. */
const olderEdmx = 'http://schemas.microsoft.com/ado/2007/06/edmx'

/** The namespaces of CSDL in the versions before the fourth. */
const olderEdm = /^http:\/\/schemas\.microsoft\.com\/ado\/\d{4}\/\d{2}\/edm$/

/**
 * Checks that a document is the metadata of an OData 4 service. Removes elements of other XML vocabularies.
 *
 * @returns the root, or why the document is rejected
 */
export function checkEdmx(root: CsdlElement, report: ReportFinding): CsdlElement | Finding {
  const namespace = root.attributes.get('xmlns')
  if (root.name !== 'Edmx' || (namespace !== edmx && namespace !== olderEdmx)) {
    const message = `The root is <${root.name}>, expected <edmx:Edmx> of the namespace ${edmx}. Import the response of an OData 4 service to $metadata.`
    return importError('not-metadata', message, root.location)
  }
  const version = root.attributes.get('Version') ?? ''
  if (namespace === olderEdmx || !/^4\.\d+$/.test(version)) {
    const found =
      namespace === olderEdmx ? 'an earlier version of OData (1 to 3)' : `EDMX ${version || 'without version'}`
    const message = `This is the metadata of ${found}; OData 4 is expected. Ask the service for its OData 4 endpoint, or convert the document.`
    return importError('odata-version', message, root.location)
  }
  const schemas = root.children.flatMap(({ children }) => children)
  const older = schemas.find(({ attributes }) => olderEdm.test(attributes.get('xmlns') ?? ''))
  if (older !== undefined) {
    const message = `The schema belongs to an earlier version of OData (${older.attributes.get('xmlns')}); OData 4 is expected.`
    return importError('odata-version', message, older.location)
  }
  return ownElements(root, report)
}

function ownElements(element: CsdlElement, report: ReportFinding): CsdlElement {
  const children = element.children.flatMap(child => {
    const namespace = child.attributes.get('xmlns')
    if (namespace === edm || namespace === edmx) return [ownElements(child, report)]
    const message = `Elements of the namespace ${namespace || '(none)'} do not belong to CSDL`
    report(omission('foreign-element', message, child.name, child.location))
    return []
  })
  return { ...element, children }
}
