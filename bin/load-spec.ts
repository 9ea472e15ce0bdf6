import { readdirSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { type Diagnostic, type LoadedSpec, suggest } from '../spec/language/index.js'
import { shellQuote } from './output.js'
import type { Terminal } from './terminal.js'

/** The size in bytes from which reading a spec shows progress. */
const large = 300_000

/** Reads and checks a spec. Shows progress for a large one. */
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

/** In bytes. Undefined if the file cannot be read. */
function sizeOf(path: string): number | undefined {
  try {
    return statSync(path).size
  } catch {
    // Reading the spec reports the cause.
    return undefined
  }
}

/**
 * Adds a hint to the diagnostic of a missing file: a similar name in its folder, or how to create one.
 *
 * @param path the missing file
 * @param otherwise the hint if no name is similar
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
    // Without the folder there is no similar name.
    return []
  }
}
