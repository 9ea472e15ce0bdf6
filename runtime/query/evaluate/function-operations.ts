import type { FunctionOperations } from '../functions.js'
import { roundNumber } from './arithmetic.js'
import { areEqual } from './compare.js'
import { castText } from './conversion.js'
import { geoDistance, geoIntersects, geoLength, readGeoArgument } from './geo.js'
import { matchesPattern } from './pattern.js'
import { clockOf, dayAt, localParts } from './temporal.js'

/** The part of the evaluator that the table of canonical functions uses. */
export const functionOperations: FunctionOperations = {
  areEqual,
  matchesPattern,
  parseText: castText,
  calendarDay: ({ days }) => dayAt(days),
  clock: clockOf,
  localParts,
  round: roundNumber,
  readGeo: readGeoArgument,
  geoDistance,
  geoLength,
  geoIntersects,
}
