import { readdirSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { suggest } from '../spec/language/diagnostics/suggest.js'
import type { Diagnostic } from '../spec/language/index.js'

/**
 * Diagnostics with what to do about a file that there is not: the name beside it that was likely meant, or how one is
 * begun.
 *
 * @param path the file that was to be read
 * @param otherwise what to do when no name is near
 */
export function withFileAdvice(
  diagnostics: readonly Diagnostic[],
  path: string,
  otherwise: string,
): readonly Diagnostic[] {
  return diagnostics.map(diagnostic => {
    if (diagnostic.code !== 'file/not-found' || diagnostic.path !== path) return diagnostic
    const near = suggest(basename(path), namesIn(dirname(path)))
    return near === undefined
      ? { ...diagnostic, message: `${diagnostic.message} ${otherwise}` }
      : { ...diagnostic, suggestion: join(dirname(path), near) }
  })
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
  } catch {
    // That there is no folder either says as much.
    return []
  }
}
