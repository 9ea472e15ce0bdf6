import type { SourcePlace } from '../../spec/language/index.js'
import { lineFinder } from '../../spec/language/source/line-finder.js'
import type { CsdlElement, Spot } from './csdl/csdl-element.js'
import { type Finding, fault, type Note } from './finding.js'
import { jsonPlaces } from './json/json-places.js'
import { readJson } from './json/read-json.js'
import { checkEdmx } from './xml/check-edmx.js'
import { readXml } from './xml/read-xml.js'

/** Metadata as elements, and where they stand. */
export interface ReadMetadata {
  /** The root, or why there is none. */
  readonly root: CsdlElement | Finding
  readonly placeOf: (spot: Spot) => SourcePlace
}

/** Reads metadata, in XML or JSON as its first character says. */
export function readMetadata(text: string, note: Note): ReadMetadata {
  const first = /\S/.exec(text)?.[0]
  const find = lineFinder(text)
  const textPlace = (offset: number): SourcePlace => {
    const length = /^<?[^\s<>/]*/.exec(text.slice(offset, offset + 80))?.[0].length ?? 0
    return find(offset, offset + length)
  }
  if (first === '{') {
    const places = jsonPlaces(text)
    return {
      root: readJson(text),
      placeOf: spot => (typeof spot === 'number' ? textPlace(spot) : textPlace(places(spot))),
    }
  }
  const placeOf = (spot: Spot): SourcePlace => textPlace(typeof spot === 'number' ? spot : 0)
  if (first !== '<') {
    const found = isJson(text) ? 'This is JSON, but no object, and so no CSDL' : 'This is neither XML nor JSON'
    const message = `${found}. Metadata are what an OData 4 service answers to $metadata.`
    return { root: fault('not-metadata', message, 0), placeOf }
  }
  const root = readXml(text)
  return { root: 'severity' in root ? root : checkEdmx(root, note), placeOf }
}

function isJson(text: string): boolean {
  // What does not begin as a JSON text does need not be read to its end.
  if (!/^\s*(?:[["\d-]|true|false|null)/.test(text)) return false
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
