import { readdirSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { type Diagnostic, type LoadedSpec, suggest } from '../spec/language/index.js'
import { shellQuote } from './output.js'
import type { Terminal } from './terminal.js'

/** Bytes from which on a spec takes so long to read that people wonder. */
const large = 300_000

/** Reads and checks a spec; tells of one that takes its time. */
export async function loadSpec(terminal: Terminal, path: string): Promise<LoadedSpec> {
  const { loadSpec: load } = await import('../spec/language/index.js')
  const size = sizeOf(path)
  if (size === undefined) {
    const loaded = await load(path)
    const begin = `Start one with: specwright init ${shellQuote(path)}`
    return { ...loaded, diagnostics: withMissingFileHint(loaded.diagnostics, path, begin) }
  }
  if (size < large) return load(path)
  terminal.status(`Reading ${path} …`)
  try {
    return await load(path)
  } finally {
    terminal.status('')
  }
}

/** In bytes; undefined where there is nothing that could be asked. */
function sizeOf(path: string): number | undefined {
  try {
    return statSync(path).size
  } catch {
    // Why not, the reader of specs tells.
    return undefined
  }
}

/**
 * Diagnostics with what to do about a file that there is not: the name beside it that was likely meant, or how one is
 * begun.
 *
 * @param path the file that was to be read
 * @param otherwise what to do when no name is near
 */
export function withMissingFileHint(
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
