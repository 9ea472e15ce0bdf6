import { statSync } from 'node:fs'
import type { Loaded } from '../spec/language/index.js'
import type { Terminal } from './terminal.js'

/** Bytes from which on a spec takes so long to read that people wonder. */
const large = 300_000

/** Reads and checks a spec; tells of one that takes its time. */
export async function loadSpec(terminal: Terminal, path: string): Promise<Loaded> {
  const { loadSpec: load } = await import('../spec/language/index.js')
  if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) < large) return load(path)
  terminal.status(`Reading ${path} …`)
  try {
    return await load(path)
  } finally {
    terminal.status('')
  }
}
