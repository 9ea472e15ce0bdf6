import { malformedBatch } from './malformed/batches.js'
import { malformedBody } from './malformed/bodies.js'
import { malformedEncoding } from './malformed/encodings.js'
import { malformedFilter } from './malformed/filters.js'
import { giant } from './malformed/giants.js'
import { malformedHeader } from './malformed/headers.js'
import { hostileString } from './malformed/hostile-strings.js'
import { malformedMessage } from './malformed/messages.js'
import { mutatedQuery } from './malformed/mutated-queries.js'
import { malformedOption } from './malformed/options.js'
import { malformedPath } from './malformed/paths.js'
import { createRandom, type Random } from './random.js'
import type { RawRequest } from './wire.js'

type Family = (random: Random) => RawRequest

/** How often each family comes, out of a thousand. */
const familyWeights: readonly (readonly [share: number, family: Family])[] = [
  [4, giant],
  [40, malformedMessage],
  [50, malformedBatch],
  [80, malformedEncoding],
  [100, malformedHeader],
  [120, malformedPath],
  [100, mutatedQuery],
  [120, malformedOption],
  [106, hostileString],
  [140, malformedFilter],
  [140, malformedBody],
]

/** The request of a number: the same for the same seed, whichever came before it. */
export function malformedRequest(seed: number, index: number): RawRequest {
  const random = createRandom(Math.imul(seed, 0x9e3779b1) + Math.imul(index, 0x85ebca6b))
  // Neighbours differ in few bits only until they are mixed.
  random.below(1)
  let at = random.below(1_000)
  for (const [share, family] of familyWeights) {
    if (at < share) return family(random)
    at -= share
  }
  return malformedPath(random)
}
