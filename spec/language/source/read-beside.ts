import { realpath } from 'node:fs/promises'
import { dirname, isAbsolute, relative, resolve, sep } from 'node:path'
import { type ReadFault, readFault, readText } from './read-text.js'

/**
 * The text of a file that a spec names. Specs come from anyone: one may have what lies in its own folder read and
 * nothing else, wherever links lead.
 *
 * @param spec the path of the spec
 * @param name the file, relative to the spec
 */
export async function readBeside(spec: string, name: string): Promise<string | ReadFault> {
  const outside: ReadFault = {
    code: 'file/outside',
    message: 'It is not in the folder of the spec; copy it there, and name it relative to the spec.',
  }
  const folder = dirname(spec)
  const path = resolve(folder, name)
  if (isAbsolute(name) || !isWithin(resolve(folder), path)) return outside
  try {
    return isWithin(await realpath(folder), await realpath(path)) ? await readText(path) : outside
  } catch (error) {
    return readFault(error)
  }
}

function isWithin(folder: string, path: string): boolean {
  const way = relative(folder, path)
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way)
}
