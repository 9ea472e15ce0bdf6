import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { build } from 'esbuild'

const component = 'node_modules/openapi-explorer'

/**
 * Collects the files of the page of `specwright serve`: its style and script, and the console component as a bundle, compressed, with
 * the licence of everything in the bundle. The bundle that the component publishes is a sixth larger.
 */
export async function writePage(folder) {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  cpSync('reference/host/assets', folder, { recursive: true })
  const { outputFiles } = await build({
    entryPoints: [join(component, 'dist/es/openapi-explorer.js')],
    bundle: true,
    minify: true,
    write: false,
    platform: 'browser',
    format: 'esm',
    target: 'es2022',
    define: { global: 'globalThis' },
    legalComments: 'none',
    logLevel: 'warning',
  })
  writeFileSync(join(folder, 'openapi-explorer.js.br'), brotliCompressSync(outputFiles[0].contents))
  const licences = licencesOf([component, ...dependenciesOf(component)])
  writeFileSync(join(folder, 'licences.txt.br'), brotliCompressSync(licences.join(`\n${'-'.repeat(80)}\n\n`)))
}

const manifestOf = path => JSON.parse(readFileSync(join(path, 'package.json'), 'utf8'))

/** The folders of all packages that a bundle may contain, resolved as Node.js does. */
function dependenciesOf(path, found = new Set()) {
  for (const name of Object.keys(manifestOf(path).dependencies ?? {})) {
    const folder = resolvePackage(path, name)
    if (folder === undefined || found.has(folder)) continue
    found.add(folder)
    dependenciesOf(folder, found)
  }
  return [...found].sort()
}

function resolvePackage(from, name) {
  for (let folder = from; folder !== '.'; folder = dirname(folder)) {
    const path = join(folder, 'node_modules', name)
    if (existsSync(join(path, 'package.json'))) return path
  }
  const path = join('node_modules', name)
  return existsSync(join(path, 'package.json')) ? path : undefined
}

/** The texts of the licences, each once, below the packages with that licence. */
function licencesOf(paths) {
  const packages = new Map()
  for (const path of paths) {
    const { name, version, license } = manifestOf(path)
    const files = readdirSync(path).filter(file => /^(?:licen[cs]e|notice)/i.test(file))
    const text = files.map(file => readFileSync(join(path, file), 'utf8').trim()).join('\n\n')
    packages.set(text, [...(packages.get(text) ?? []), `${name} ${version}, ${license}`])
  }
  return [...packages].map(([text, names]) => `${names.join('\n')}\n\n${text}\n`)
}
