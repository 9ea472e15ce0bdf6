import { lineIndex, type SourceLocation } from '../../../spec/language/index.js'
import { type Finding, importError, type ReportFinding } from '../finding.js'
import type { CsdlElement, CsdlLocation } from './csdl-element.js'
import { jsonPositions } from './json-text.js'
import { readJson } from './read-json.js'
import { checkEdmx, readXml } from './read-xml.js'

/** Metadata as elements, and their places. */
export interface ReadMetadata {
  /** The root, or why there is none. */
  readonly root: CsdlElement | Finding
  readonly sourcePlaceOf: (location: CsdlLocation) => SourceLocation
}

/** Reads metadata, in XML or JSON depending on its first character. */
export function readMetadata(text: string, report: ReportFinding): ReadMetadata {
  const first = /\S/.exec(text)?.[0]
  const find = lineIndex(text)
  const textPlace = (offset: number): SourceLocation => {
    const length = /^<?[^\s<>/]*/.exec(text.slice(offset, offset + 80))?.[0].length ?? 0
    return find(offset, offset + length)
  }
  if (first === '{') {
    const places = jsonPositions(text)
    return {
      root: readJson(text),
      sourcePlaceOf: location => (typeof location === 'number' ? textPlace(location) : textPlace(places(location))),
    }
  }
  const locate = (location: CsdlLocation): SourceLocation => textPlace(typeof location === 'number' ? location : 0)
  if (first !== '<') {
    const found = isJson(text) ? 'This is JSON but not an object, so it is not CSDL' : 'This is neither XML nor JSON'
    const message = `${found}. Import the response of an OData 4 service to $metadata.`
    return { root: importError('not-metadata', message, 0), sourcePlaceOf: locate }
  }
  const root = readXml(text)
  return { root: 'severity' in root ? root : checkEdmx(root, report), sourcePlaceOf: locate }
}

function isJson(text: string): boolean {
  // A text that does not begin like JSON need not be read to its end.
  if (!/^\s*(?:[["\d-]|true|false|null)/.test(text)) return false
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
