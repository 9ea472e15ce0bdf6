import { maxNesting } from '../max-nesting.js'

const shapeName = /[A-Za-z]+/y
const number = /(?:[+-]?[0-9]+(?:\.[0-9]+)?(?:[Ee][+-]?[0-9]+)?|NaN|-?INF)/y
const spatialReference = /SRID=[0-9]{1,5};/iy

/** How the data of each shape nests: `1` one position, `2` a list of positions, and so on. */
const shapeEnds: Readonly<Record<string, (text: string, position: number) => number>> = {
  point: (text, position) => listEnd(text, position, 1, 1, coordinatesEnd),
  linestring: lineEnd,
  polygon: polygonEnd,
  multipoint: (text, position) => listEnd(text, position, 0, Infinity, pointEnd),
  multilinestring: (text, position) => listEnd(text, position, 0, Infinity, lineEnd),
  multipolygon: (text, position) => listEnd(text, position, 0, Infinity, polygonEnd),
}

/**
 * Whether the text is a spatial value as between the quotes of `geography'…'`: `SRID=<digits>;` and a shape in well-known
 * text, `Point(1 2)`. Any letter case; spaces around commas are let through.
 *
 * @see OData ABNF, `fullPointLiteral` and its siblings
 */
export function isGeo(text: string): boolean {
  const start = matchEnd(spatialReference, text, 0)
  return start !== -1 && shapeEnd(text, start, maxNesting) === text.length
}

function shapeEnd(text: string, position: number, nesting: number): number {
  const end = matchEnd(shapeName, text, position)
  if (end === -1 || nesting === 0) return -1
  const name = text.slice(position, end).toLowerCase()
  if (name === 'geometrycollection') {
    return listEnd(text, end, 1, Infinity, (inner, start) => shapeEnd(inner, start, nesting - 1))
  }
  const data = Object.hasOwn(shapeEnds, name) ? shapeEnds[name] : undefined
  return data === undefined ? -1 : data(text, end)
}

function pointEnd(text: string, position: number): number {
  return listEnd(text, position, 1, 1, coordinatesEnd)
}

function lineEnd(text: string, position: number): number {
  return listEnd(text, position, 2, Infinity, coordinatesEnd)
}

function ringEnd(text: string, position: number): number {
  return listEnd(text, position, 1, Infinity, coordinatesEnd)
}

function polygonEnd(text: string, position: number): number {
  return listEnd(text, position, 1, Infinity, ringEnd)
}

/** Two to four numbers: longitude, latitude, and perhaps elevation and measure. */
function coordinatesEnd(text: string, position: number): number {
  let end = matchEnd(number, text, position)
  for (let count = 1; end !== -1; count += 1) {
    const next = spacesEnd(text, end)
    const following = next > end && count < 4 ? matchEnd(number, text, next) : -1
    if (following === -1) return count >= 2 ? end : -1
    end = following
  }
  return -1
}

function listEnd(
  text: string,
  position: number,
  least: number,
  most: number,
  itemEnd: (text: string, position: number) => number,
): number {
  if (text[position] !== '(') return -1
  let end = spacesEnd(text, position + 1)
  if (text[end] === ')') return least === 0 ? end + 1 : -1
  for (let count = 1; count <= most; count += 1) {
    end = itemEnd(text, end)
    if (end === -1) return -1
    end = spacesEnd(text, end)
    if (text[end] === ')') return count >= least ? end + 1 : -1
    if (text[end] !== ',') return -1
    end = spacesEnd(text, end + 1)
  }
  return -1
}

function spacesEnd(text: string, position: number): number {
  let end = position
  while (text[end] === ' ') end += 1
  return end
}

function matchEnd(pattern: RegExp, text: string, position: number): number {
  pattern.lastIndex = position
  return pattern.test(text) ? pattern.lastIndex : -1
}
