import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib'
import { packageFolder } from '../../spec/language/index.js'
import {
  type ArtefactName,
  defaultArtefacts,
  type ImportExtension,
  type RuntimeLayout,
  withExtension,
} from '../generate-options.js'
import { type GeneratedFile, ownershipHeader, scriptOwnershipHeader } from '../generated-file.js'

/**
 * The parts of the runtime as files beside what imports them.
 *
 * @param compiled each as JavaScript with its declarations, instead of TypeScript
 */
export function runtimeFiles(
  parts: readonly RuntimePart[],
  service: string,
  compiled: boolean,
): readonly GeneratedFile[] {
  const texts = readArchive()
  const file = (name: string, ...header: readonly string[]): GeneratedFile => ({
    path: `runtime/${name}`,
    text: [...header, '', texts.get(name)].join('\n'),
    kind: 'generated',
  })
  const header = ownershipHeader(service)
  if (!compiled) return parts.map(part => file(`${part}.ts`, header))
  return parts.flatMap(part => [
    file(`${part}.d.ts`, header),
    // Deno finds the declarations through the second line.
    file(`${part}.js`, scriptOwnershipHeader(service), `// @ts-self-types="./${part}.d.ts"`),
  ])
}

const archive = () => join(packageFolder('dist'), 'vendored.br')

/** Between names and texts, none of which contains it. Without escaping, the archive is smaller than one of JSON. */
const separator = '\0'

function readArchive(): ReadonlyMap<string, string> {
  const parts = brotliDecompressSync(readFileSync(archive())).toString().split(separator)
  return new Map(
    Array.from({ length: parts.length / 2 }, (_, index) => [parts[index * 2] ?? '', parts[index * 2 + 1] ?? '']),
  )
}

/**
 * Writes all files of a vendored runtime into one compressed archive: a step of the package's build. The TypeScript, JavaScript and
 * declarations of one part have so much in common that the archive has about half the bytes of the separate files.
 */
export function writeArchive(folder: string): void {
  const names = runtimeParts.flatMap(part => ['.js', '.d.ts', '.ts'].map(ending => part + ending))
  const parts = names.flatMap(name => [name, readFileSync(join(folder, name), 'utf8')])
  if (parts.some(part => part.includes(separator)))
    throw new Error('A vendored file contains the separator of the archive.')
  const params = { [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS }
  writeFileSync(archive(), brotliCompressSync(parts.join(separator), { params }))
}

/** A part of the runtime: one vendored file. */
export type RuntimePart = (typeof runtimeParts)[number]

/** All parts. Each is self-contained, so that one can be vendored without the other. */
export const runtimeParts = ['client', 'server'] as const

/**
 * `server` of `query/parse/cursor.js`: only servers need the query language, and a compiler that checks files in
 * parallel resolves the types of a file again for each importing file.
 */
export function partOf(module: string): RuntimePart {
  if (module.startsWith('client/')) return 'client'
  if (module.startsWith('server/') || module.startsWith('query/')) return 'server'
  throw new Error(`runtime/${module} is in no part of the runtime: ${runtimeParts.join(', ')}`)
}

/** The parts of the runtime that the artefacts import: each imports the one with its name. */
export function partsOf(artefacts: readonly ArtefactName[] = defaultArtefacts): readonly RuntimePart[] {
  return runtimeParts.filter(part => artefacts.includes(part))
}

/** Where generated files find the runtime. */
interface RuntimeLocation {
  /** A folder relative to the output, or a package; without a slash at the end. */
  readonly path: string
  readonly layout: RuntimeLayout
  readonly extension: ImportExtension
}

/** The specifier by which generated files import an entry point of the runtime. */
export function runtimeImportPath(
  entrance: 'client' | 'server' | 'query',
  { path, layout, extension }: RuntimeLocation,
): string {
  if (layout === 'entrances') return `${path}/${entrance}`
  const module = `${entrance}/index.js`
  return withExtension(`${path}/${layout === 'parts' ? `${partOf(module)}.js` : module}`, extension)
}
