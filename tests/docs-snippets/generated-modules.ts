import { generate } from '../../generator/index.js'
import type { Module } from './programs.js'

/** The code of a service below a folder. Throws when the spec is not sound. */
export function generatedModules(folder: string, spec: string): readonly Module[] {
  const { files, diagnostics } = generate({ path: `${folder}.yaml`, text: spec }, { only: ['client', 'server'] })
  if (diagnostics.length > 0) throw new Error(diagnostics.map(({ message }) => message).join('\n'))
  return files.map(({ path, text }) => ({ path: `${folder}/${path.replace(/\.ts$/, '')}`, text }))
}
