import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { filesIn as files, notesProject, runCommand } from '../testing/run-command.js'

const { project, generate } = notesProject()

/** A runtime for clients as in the package, with one file for each module. */
function modules(...at: readonly string[]): void {
  mkdirSync(join(...at, 'client'), { recursive: true })
  writeFileSync(join(...at, 'client', 'index.ts'), '')
}

describe('the runtime of an output', () => {
  it('is imported from --runtime, relative to the current folder or to the output', async () => {
    const path = project()
    modules(path, 'shared')
    modules(path, 'out', '.hidden')
    const imported = async (runtime: string): Promise<string | undefined> => {
      await generate(path, '--only', 'client', '--runtime', runtime)
      return / from '(.*)\/client\/index\.js'/.exec(readFileSync(join(path, 'out', 'client.ts'), 'utf8'))?.[1]
    }
    expect(await imported('shared')).toBe('../shared')
    expect(await imported('./shared')).toBe('../shared')
    expect(await imported('../shared')).toBe('../shared')
    expect(await imported('.hidden')).toBe('./.hidden')
  })

  it('can be that of another output, if that has all the parts', async () => {
    const path = project()
    const share = (...args: readonly string[]) => generate(path, '--runtime', 'first/runtime', ...args)
    expect((await share('--only', 'client')).code).toBe(2)
    await runCommand(path, 'generate', 'spec.yaml', '--out', 'first', '--only', 'client')
    expect(files(join(path, 'first', 'runtime'))).toEqual(['client.ts'])
    expect((await share('--only', 'client')).code).toBe(0)
    expect(readFileSync(join(path, 'out', 'client.ts'), 'utf8')).toContain("from '../first/runtime/client.js'")
    expect(files(join(path, 'out', 'runtime'))).toEqual([])
    const lacking = await share('--only', 'server')
    expect([lacking.code, lacking.err.includes('it has no part for a server. Share')]).toEqual([2, true])
    // A leftover folder with a file of the user's is not a part.
    mkdirSync(join(path, 'first', 'runtime', 'server'))
    writeFileSync(join(path, 'first', 'runtime', 'server', 'mine.ts'), '')
    expect((await share('--only', 'server')).code).toBe(2)
  })

  it.each([
    ['first', 'It is an output folder. Its runtime is first/runtime.'],
    ['other', 'Name the runtime/ of another output folder'],
    ['folders', 'Name the runtime/ of another output folder'],
    ['spec.yaml', 'spec.yaml is a file. Name the folder of a runtime'],
    ['spec.yaml/below', 'Name the runtime/ of another output folder'],
    ['.', 'relative to the current folder or to the output folder'],
    ['', "runtime '': there is no runtime"],
  ])('cannot be in another folder: %j', async (runtime, message) => {
    const path = project()
    await runCommand(path, 'generate', 'spec.yaml', '--out', 'first')
    mkdirSync(join(path, 'other'))
    writeFileSync(join(path, 'other', 'client.ts'), 'export const app = 1')
    mkdirSync(join(path, 'folders', 'client.ts'), { recursive: true })
    const { code, err } = await generate(path, '--only', 'client', '--runtime', runtime)
    expect([code, err.includes(message)], err).toEqual([2, true])
    expect(files(join(path, 'out'))).toEqual([])
  })

  it('is kept if the output uses it', async () => {
    const path = project()
    for (const runtime of [undefined, './runtime', 'out/runtime', '../out/runtime']) {
      await generate(path, '--only', 'client', ...(runtime === undefined ? [] : ['--runtime', runtime]))
      expect([runtime, files(join(path, 'out', 'runtime'))]).toEqual([runtime, ['client.ts']])
    }
  })

  const shared = '{ spec: spec.yaml, out: b, only: [server], runtime: a/runtime }'

  it.each([
    ['its own', '{ spec: spec.yaml, out: a, only: [server] }'],
    ['named as such', '{ spec: spec.yaml, out: a, only: [server], runtime: a/runtime }'],
  ])('can be one that the same run writes: %s', async (_, own) => {
    const path = project()
    writeFileSync(join(path, 'specwright.yaml'), `services:\n  - ${shared}\n  - ${own}\n`)
    for (const _run of [1, 2]) {
      expect((await runCommand(path, 'generate')).code).toBe(0)
      expect(files(join(path, 'a', 'runtime'))).toEqual(['server.ts'])
    }
    expect(readFileSync(join(path, 'b', 'server.ts'), 'utf8')).toContain("from '../a/runtime/server.js'")
    expect((await runCommand(path, 'generate', '--check')).code).toBe(0)
  })

  it('cannot be one that the same run deletes', async () => {
    const path = project()
    const write = (only: string): void =>
      writeFileSync(
        join(path, 'specwright.yaml'),
        `services:\n  - ${shared}\n  - { spec: spec.yaml, out: a, only: [${only}] }\n`,
      )
    write('server')
    await runCommand(path, 'generate')
    write('client')
    const { code, err } = await runCommand(path, 'generate')
    expect([code, err.includes('runtime a/runtime: it has no part for a server')]).toEqual([2, true])
    expect(files(join(path, 'a', 'runtime'))).toEqual(['server.ts'])
  })

  it.each(['acme', '@acme/api', '@acme/api/runtime'])(
    'imports the runtime from the package %s if it is there',
    async name => {
      const path = project()
      const imports = async (module: string): Promise<boolean> => {
        expect((await generate(path, '--only', 'client', '--runtime', name)).code).toBe(0)
        return readFileSync(join(path, 'out', 'client.ts'), 'utf8').includes(` from '${name}/${module}'`)
      }
      const missing = await generate(path, '--only', 'client', '--runtime', name)
      expect([missing.code, missing.err.includes('no package of that name is installed')]).toEqual([2, true])
      expect(files(join(path, 'out'))).toEqual([])
      const folder = join(path, 'node_modules', ...name.split('/'))
      mkdirSync(folder, { recursive: true })
      expect(await imports('client')).toBe(true)
      writeFileSync(join(folder, 'client.js'), '')
      expect(await imports('client.js')).toBe(true)
    },
  )

  it('is JavaScript with declarations on request, and TypeScript again without', async () => {
    const path = project()
    const runtime = join(path, 'out', 'runtime')
    const compiled = ['client.d.ts', 'client.js', 'server.d.ts', 'server.js']
    for (const [args, expected] of [
      [[], ['client.ts', 'server.ts']],
      [['--compiled-runtime'], compiled],
      [['--compiled-runtime'], compiled],
      [[], ['client.ts', 'server.ts']],
    ] as const) {
      expect((await generate(path, ...args)).code).toBe(0)
      expect(files(runtime)).toEqual(expected)
      expect((await generate(path, '--check', ...args)).code).toBe(0)
    }
    expect((await generate(path, '--check', '--compiled-runtime')).code).toBe(3)
  })

  it('can be shared if it is compiled', async () => {
    const path = project()
    writeFileSync(
      join(path, 'specwright.yaml'),
      'services:\n  - { spec: spec.yaml, out: a, compiledRuntime: true }\n  - { spec: spec.yaml, out: b, runtime: a/runtime }\n',
    )
    for (const _run of [1, 2]) expect((await runCommand(path, 'generate')).code).toBe(0)
    await generate(path, '--runtime', 'a/runtime')
    for (const out of ['b', 'out']) {
      expect(files(join(path, out, 'runtime'))).toEqual([])
      expect(readFileSync(join(path, out, 'server.ts'), 'utf8')).toContain("from '../a/runtime/server.js'")
    }
  })

  it.each([
    ['first', [], '../first/runtime/server.ts'],
    ['first', ['--compiled-runtime'], '../first/runtime/server.js'],
  ])('is imported with its real extension if imports end in .ts: %s %j', async (out, args, expected) => {
    const path = project()
    await runCommand(path, 'generate', 'spec.yaml', '--out', out, ...args)
    await generate(path, '--runtime', 'first/runtime', '--import-extension', 'ts')
    expect(readFileSync(join(path, 'out', 'server.ts'), 'utf8')).toContain(` from '${expected}'`)
    writeFileSync(
      join(path, 'specwright.yaml'),
      `services:
  - { spec: spec.yaml, out: out, runtime: ./first/runtime, importExtension: ts }
  - { spec: spec.yaml, out: first, compiledRuntime: ${args.length > 0} }
`,
    )
    expect((await runCommand(path, 'generate', '--check')).code).toBe(0)
  })

  it('is imported from a package by the name of the package', async () => {
    const path = project()
    const server = async (): Promise<string> => {
      await generate(path, '--runtime', 'acme', '--import-extension', 'none')
      return readFileSync(join(path, 'out', 'server.ts'), 'utf8')
    }
    mkdirSync(join(path, 'node_modules', 'acme'), { recursive: true })
    expect(await server()).toContain(" from 'acme/server'")
    expect(await server()).toContain(" from './types'")
    mkdirSync(join(path, 'node_modules', 'acme', 'server'))
    writeFileSync(join(path, 'node_modules', 'acme', 'server', 'index.js'), '')
    expect(await server()).toContain(" from 'acme/server/index.js'")
  })

  it('keeps what a compiler wrote beside the generated files', async () => {
    const path = project()
    await generate(path)
    const made = join(path, 'out', 'runtime', 'client.js')
    writeFileSync(made, readFileSync(join(path, 'out', 'runtime', 'client.ts'), 'utf8'))
    expect((await generate(path, '--check')).code).toBe(0)
    const { code, err } = await generate(path, '--compiled-runtime')
    expect(code).toBe(2)
    expect(err).toContain(
      'runtime/client.js would be generated, but it seems to be what a compiler made of runtime/client.ts',
    )
    expect(files(join(path, 'out', 'runtime'))).toContain('server.ts')
  })

  it.each([
    ['--runtime', 'first/runtime', '--compiled-runtime'],
    ['--compiled-runtime', '--runtime', 'first/runtime'],
  ])('cannot be both shared and compiled: %s %s %s', async (...args) => {
    const path = project()
    await runCommand(path, 'generate', 'spec.yaml', '--out', 'first')
    expect((await generate(path, ...args)).code).toBe(2)
    expect(files(join(path, 'out'))).toEqual([])
  })
})
