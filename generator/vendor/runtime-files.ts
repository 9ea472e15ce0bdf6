import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliDecompressSync, constants, createBrotliCompress } from 'node:zlib'
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
  const texts = readArchive(compiled)
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

/** The bytes of the number at the start of the archive: the length of what contains the TypeScript. */
const lengthBytes = 4

/** The vendored files by name. Without `all`, JavaScript and declarations are not even decompressed. */
function readArchive(all: boolean): ReadonlyMap<string, string> {
  const bytes = readFileSync(archive())
  const end = all ? bytes.length : lengthBytes + bytes.readUInt32BE()
  const finishFlush = all ? constants.BROTLI_OPERATION_FINISH : constants.BROTLI_OPERATION_FLUSH
  // A vendored file is ASCII only: Node.js decodes that many times as fast as UTF-8.
  const parts = brotliDecompressSync(bytes.subarray(lengthBytes, end), { finishFlush })
    .toString('latin1')
    .split(separator)
  return new Map(
    Array.from({ length: parts.length / 2 }, (_, index) => [parts[index * 2] ?? '', parts[index * 2 + 1] ?? '']),
  )
}

/**
 * Writes all files of a vendored runtime into one compressed archive, the TypeScript first: a step of the package's build. The
 * TypeScript, JavaScript and declarations of one part have so much in common that the archive has about half the bytes of the separate
 * files.
 */
export async function writeArchive(folder: string): Promise<void> {
  const texts = (endings: readonly string[]): string => {
    const names = runtimeParts.flatMap(part => endings.map(ending => part + ending))
    return names.flatMap(name => [name, vendoredText(join(folder, name))]).join(separator)
  }
  const params = { [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS }
  const stream = createBrotliCompress({ params })
  const chunks: Buffer[] = []
  stream.on('data', (chunk: Buffer) => chunks.push(chunk))
  const length = Buffer.alloc(lengthBytes)
  await new Promise<void>(resolve => {
    stream.write(texts(['.ts']))
    stream.flush(constants.BROTLI_OPERATION_FLUSH, resolve)
  })
  length.writeUInt32BE(Buffer.concat(chunks).length)
  await new Promise(resolve => stream.on('end', resolve).end(separator + texts(['.js', '.d.ts'])))
  writeFileSync(archive(), Buffer.concat([length, ...chunks]))
}

function vendoredText(path: string): string {
  const text = readFileSync(path, 'latin1')
  const [character] = /[^\t\n -~]/.exec(text) ?? []
  if (character === undefined) return text
  throw new Error(
    `${path}: a vendored file has ASCII characters only. Write ... for an ellipsis, and \\u00e9 in a string.`,
  )
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
