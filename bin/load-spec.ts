import { statSync } from 'node:fs'
import type { Loaded } from '../spec/language/index.js'
import { shellPath } from './shell-path.js'
import type { Terminal } from './terminal.js'
import { withFileAdvice } from './with-file-advice.js'

/** Bytes from which on a spec takes so long to read that people wonder. */
const large = 300_000

/** Reads and checks a spec; tells of one that takes its time. */
export async function loadSpec(terminal: Terminal, path: string): Promise<Loaded> {
  const { loadSpec: load } = await import('../spec/language/index.js')
  const size = sizeOf(path)
  if (size === undefined) {
    const loaded = await load(path)
    const begin = `Start one with: specwright init ${shellPath(path)}`
    return { ...loaded, diagnostics: withFileAdvice(loaded.diagnostics, path, begin) }
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
