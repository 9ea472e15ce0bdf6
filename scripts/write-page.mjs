import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

const component = 'node_modules/openapi-explorer'

/**
 * Gathers what the page of `specwright serve` is made of: our own style and script, and the console's component as its
 * makers bundled it, with the licence of everything that is in the bundle.
 */
export function writePage(folder) {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  cpSync('reference/host/assets', folder, { recursive: true })
  cpSync(join(component, 'dist/browser/openapi-explorer.min.js'), join(folder, 'openapi-explorer.js'))
  const licences = licencesOf([component, ...dependenciesOf(component)])
  writeFileSync(join(folder, 'licences.txt'), licences.join(`\n${'-'.repeat(80)}\n\n`))
}

const manifestOf = path => JSON.parse(readFileSync(join(path, 'package.json'), 'utf8'))

/** The folders of all packages that a package may have in its bundle, found as Node.js finds them. */
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

/** The texts of the licences, each once, below the packages that it is for. */
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
