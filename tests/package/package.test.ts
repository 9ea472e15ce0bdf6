import { execFile, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core'
import { publint } from 'publint'
import { formatMessage } from 'publint/utils'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bugReport } from '../../bin/output.js'
import { root } from '../root.js'

const execute = promisify(execFile)

describe('the package that npm pack creates', () => {
  let folder: string
  let file: string
  let tarball: Uint8Array<ArrayBuffer>
  let entryCount: number
  let manifest: { readonly exports: Readonly<Record<string, unknown>>; readonly files: readonly string[] }

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'specwright-pack-'))
    // Without a new build, because other tests use dist/ at the same time.
    const { stdout } = await execute('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', folder], {
      cwd: root,
      maxBuffer: 64 * 1024 * 1024,
    })
    file = join(folder, /"filename":\s*"([^"]+)"/.exec(stdout)?.[1] ?? '')
    entryCount = Number(/"entryCount":\s*(\d+)/.exec(stdout)?.[1])
    tarball = new Uint8Array(await readFile(file))
    manifest = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))

  it('contains the page that a bug report names', async () => {
    const [, heading = '', page = ''] = /see "([^"]+)" in (\S+) of the package/.exec(bugReport('x', '1.2.3')) ?? []
    const { stdout } = await execute('tar', ['-xzOf', file, `package/${page}`])
    expect(stdout).toContain(`\n## ${heading}\n`)
  })

  it('is at most 1.2 MB in at most 700 files', () => {
    expect(tarball.byteLength).toBeLessThan(1_200_000)
    expect(entryCount).toBeLessThanOrEqual(700)
  })

  it('has no fault that publint finds', async () => {
    const { messages, pkg } = await publint({ pack: { tarball: tarball.buffer }, strict: true })
    expect(messages.map(message => formatMessage(message, pkg, { color: false }))).toEqual([])
  })

  it('has types for every subpath, as node16 and as bundlers resolve them', async () => {
    const result = await checkPackage(createPackageFromTarballData(tarball), {
      excludeEntrypoints: ['./schema', './package.json'],
    })
    if (result.types === false) throw new Error('no types were found')
    const checked = Object.keys(result.entrypoints).map(path => path.replace(/^\.\//, ''))
    const declared = Object.keys(manifest.exports).filter(path => !['./schema', './package.json'].includes(path))
    expect(checked.sort()).toEqual(declared.map(path => path.replace(/^\.\//, '')).sort())
    // The package is ESM, and has subpaths, which the resolution of Node.js 10 does not support.
    const faults = result.problems.filter(problem => {
      const { kind } = problem
      const resolution = 'resolutionKind' in problem ? problem.resolutionKind : undefined
      return resolution !== 'node10' && !(kind === 'CJSResolvesToESM')
    })
    expect(faults).toEqual([])
  })
})

interface Locked {
  readonly optionalDependencies?: Readonly<Record<string, string>>
}

describe('package-lock.json', () => {
  it('locks the optional packages of every platform: without them npm ci refuses to install', () => {
    const { packages }: { packages: Readonly<Record<string, Locked>> } = JSON.parse(
      readFileSync(join(root, 'package-lock.json'), 'utf8'),
    )
    const missing = Object.entries(packages).flatMap(([name, { optionalDependencies = {} }]) =>
      Object.keys(optionalDependencies)
        .filter(wanted => !Object.keys(packages).some(key => key.endsWith(`node_modules/${wanted}`)))
        .map(wanted => `${name} wants ${wanted}`),
    )
    expect(missing).toEqual([])
  })
})

it('specwright --version prints the version, and does not fail if nobody reads it', async () => {
  const versionOf = (isRead: boolean): Promise<readonly unknown[]> =>
    new Promise((resolve, reject) => {
      const child = spawn(process.execPath, [join(root, 'dist/cli/specwright.js'), '--version'])
      let [out, err] = ['', '']
      if (isRead) child.stdout.on('data', part => (out += String(part)))
      else child.stdout.destroy()
      child.stderr.on('data', part => (err += String(part)))
      child.on('error', reject)
      child.on('close', code => resolve([code, out, err]))
    })
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  expect(await versionOf(true)).toEqual([0, `${version}\n`, ''])
  expect(await versionOf(false)).toEqual([0, '', ''])
})
