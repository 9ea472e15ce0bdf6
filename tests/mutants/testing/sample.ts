import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../../root.js'

/**
 * A part of a catalogue that is too large for `npm test`, in the order of the catalogue. The same checkout gives the same part.
 * Each line of CHANGELOG.md, which every change of behaviour adds, draws another one.
 *
 * @param size the number of entries to draw
 */
export function sampleOf<Entry extends { readonly name: string }>(
  catalogue: readonly Entry[],
  size: number,
): readonly Entry[] {
  const changes = readFileSync(join(root, 'CHANGELOG.md'))
  const rankOf = ({ name }: Entry): string => createHash('sha256').update(changes).update(name).digest('hex')
  const ranks = new Map(catalogue.map(entry => [entry, rankOf(entry)]))
  const drawn = new Set(
    [...ranks]
      .toSorted(([, a], [, b]) => (a < b ? -1 : 1))
      .slice(0, size)
      .map(([entry]) => entry),
  )
  return catalogue.filter(entry => drawn.has(entry))
}
