import { posix } from 'node:path'
import { type ImportExtension, withExtension } from '../import-extension.js'

/** An import that the compiler takes for one of a generated file, and that leads nowhere when it runs. */
export interface MisfitImport {
  readonly line: number
  readonly specifier: string
  readonly expected: string
}

const relativeImport = /\b(?:from|import)\s*\(?\s*(['"])(\.{1,2}\/[^'"\n]*\.js)\1/g

/**
 * Finds where a user's file imports `./types.js` though imports end otherwise. The compiler says nothing, for to it both are
 * `types.ts`.
 *
 * @param path of the file, relative to the output folder
 * @param outputs paths of all files that are generated, relative to it
 */
export function misfitImports(
  path: string,
  text: string,
  extension: ImportExtension,
  outputs: ReadonlySet<string>,
): readonly MisfitImport[] {
  if (extension === 'js') return []
  return [...text.matchAll(relativeImport)].flatMap(({ index, 2: specifier = '' }) => {
    const meant = posix.join(posix.dirname(path), specifier.replace(/\.js$/, '.ts'))
    if (!outputs.has(meant)) return []
    const line = text.slice(0, index).split('\n').length
    return [{ line, specifier, expected: withExtension(specifier, extension) }]
  })
}
