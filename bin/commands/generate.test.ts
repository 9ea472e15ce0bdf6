import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { runCommand } from '../testing/run-command.js'
import { temporaryFolders } from '../testing/temporary-folder.js'

const folder = temporaryFolders()

const sound = `specwright: 1
service: { name: notes, version: v1 }
resources:
  note: { kind: entityType, key: [id], properties: { id: { type: String, computed: true }, text: { type: String } } }
container: { notes: { entitySet: note } }
paths:
  /notes: { get: { returns: collection } }
errors: {}
`

/** A folder with a spec in it. */
function project(text = sound): string {
  const path = folder()
  writeFileSync(join(path, 'spec.yaml'), text)
  return path
}

const files = (path: string): readonly string[] =>
  existsSync(path)
    ? readdirSync(path, { recursive: true, encoding: 'utf8' }).filter(file => statSync(join(path, file)).isFile())
    : []

const generate = (path: string, ...args: readonly string[]) =>
  runCommand(path, 'generate', 'spec.yaml', '--out', 'out', ...args)

describe('specwright generate', () => {
  it('writes what is missing, then nothing, then what changed; and counts', async () => {
    const path = project()
    expect(await generate(path, '--only', 'types')).toEqual({ code: 0, out: '1 file: 1 created (0 ms)', err: '' })
    expect((await generate(path, '--only', 'types')).out).toBe('1 file: 1 unchanged (0 ms)')
    writeFileSync(join(path, 'spec.yaml'), sound.replaceAll('text:', 'body:'))
    expect((await generate(path, '--only', 'types')).out).toBe('1 file: 1 updated (0 ms)')
    expect(readFileSync(join(path, 'out', 'types.ts'), 'utf8')).toContain('readonly body: string')
  })

  it('writes each artefact that --only names, and deletes what is generated no more', async () => {
    const path = project()
    await generate(path, '--only', 'types,openapi,csdl,jsonschema')
    expect(files(join(path, 'out'))).toEqual([
      'metadata.json',
      'metadata.xml',
      'openapi.json',
      'schemas.json',
      'types.ts',
    ])
    expect((await generate(path, '--only', 'types')).out).toBe('1 file: 4 deleted, 1 unchanged (0 ms)')
    expect(files(join(path, 'out'))).toEqual(['types.ts'])
  })

  it('writes nothing when the spec has errors', async () => {
    const path = project(sound.replace('type: String, computed', 'type: Strng, computed'))
    const { code, err } = await generate(path)
    expect([code, files(join(path, 'out'))]).toEqual([1, []])
    expect(err).toContain('spec.yaml:4:66 error spec/unknown-type')
  })

  it('--check tells current, missing, changed and surplus files apart, and writes nothing', async () => {
    const path = project()
    const missing = await generate(path, '--only', 'types', '--check')
    expect([missing.code, missing.err.split('\n')[0]]).toEqual([3, 'out/types.ts: missing'])
    expect(files(join(path, 'out'))).toEqual([])
    await generate(path, '--only', 'types,openapi')
    expect((await generate(path, '--only', 'types,openapi', '--check')).code).toBe(0)
    const surplus = await generate(path, '--only', 'types', '--check')
    expect([surplus.code, surplus.err.split('\n')[0]]).toEqual([3, 'out/openapi.json: surplus'])
    const types = join(path, 'out', 'types.ts')
    writeFileSync(types, `${readFileSync(types, 'utf8')}// edited\n`)
    const edited = await generate(path, '--only', 'types,openapi', '--check')
    expect([edited.code, edited.err.split('\n')[0]]).toEqual([3, 'out/types.ts: changed'])
    writeFileSync(types, '// edited from the first line on\n')
    const taken = await generate(path, '--only', 'types,openapi', '--check')
    expect([taken.code, taken.err.includes('does not carry the header')]).toEqual([3, true])
  })

  it('--check names twenty files and counts the others', async () => {
    const names = Array.from({ length: 25 }, (_, index) => `notes${index}`)
    const spec = sound
      .replace('notes: { entitySet: note }', names.map(name => `${name}: { entitySet: note }`).join(', '))
      .replace('  /notes:', `${names.map(name => `  /${name}: { get: { returns: collection } }\n`).join('')}  /notes:`)
      .replace(/ {2}\/notes: .*\n/, '')
    const { code, err } = await generate(project(spec), '--only', 'server', '--check')
    const lines = err.split('\n')
    const total = Number(/^Not current: (\d+) files/.exec(lines.at(-1) ?? '')?.[1])
    expect([code, lines.length]).toEqual([3, 22])
    expect(lines.slice(0, 20).every(line => line.endsWith(': missing'))).toBe(true)
    expect(lines[20]).toBe(`… and ${total - 20} files more; --json names all`)
  })

  it('--diff prints a unified diff, --dry-run what would happen; both write nothing', async () => {
    const path = project()
    await generate(path, '--only', 'types')
    writeFileSync(join(path, 'spec.yaml'), sound.replaceAll('text:', 'body:'))
    const before = readFileSync(join(path, 'out', 'types.ts'), 'utf8')
    const diff = await generate(path, '--only', 'types', '--diff')
    expect(diff.out).toMatch(/^--- a\/out\/types\.ts\n\+\+\+ b\/out\/types\.ts\n@@/)
    expect(diff.out).toMatch(/^- {2}readonly text: string$/m)
    expect(diff.out).toMatch(/^\+ {2}readonly body: string$/m)
    expect((await generate(path, '--only', 'types,openapi', '--dry-run')).out).toBe(
      'create out/openapi.json\nupdate out/types.ts\nwould be 2 files: 1 created, 1 updated (0 ms)',
    )
    expect(readFileSync(join(path, 'out', 'types.ts'), 'utf8')).toBe(before)
    expect(files(join(path, 'out'))).toEqual(['types.ts'])
  })

  it('stops before it writes anything when a file is not its own', async () => {
    const path = project()
    mkdirSync(join(path, 'out'))
    writeFileSync(join(path, 'out', 'types.ts'), 'export const mine = 1\n')
    const { code, err } = await generate(path)
    expect(code).toBe(2)
    expect(err).toContain('out/types.ts')
    expect(files(join(path, 'out'))).toEqual(['types.ts'])
    expect(readFileSync(join(path, 'out', 'types.ts'), 'utf8')).toBe('export const mine = 1\n')
  })

  it('refuses an output folder that is a file', async () => {
    const path = project()
    writeFileSync(join(path, 'out'), 'a file')
    const { code, err } = await generate(path)
    expect([code, err.includes('out')]).toEqual([2, true])
  })

  it('adds stubs for new operations to handlers that were edited, and keeps every byte of them', async () => {
    const path = project()
    await generate(path, '--only', 'server')
    const handlers = join(path, 'out', 'handlers', 'notes.ts')
    const edited = readFileSync(handlers, 'utf8').replace(
      'list: notImplemented,',
      'list: () => ({ value:\t[] }), // mine',
    )
    writeFileSync(handlers, edited)
    writeFileSync(join(path, 'spec.yaml'), sound.replace('collection }', 'collection }, post: { creates: note }'))
    expect((await generate(path, '--only', 'server')).out).not.toContain('handlers/notes.ts')
    expect(readFileSync(handlers, 'utf8')).toBe(edited)
    const { out } = await generate(path, '--only', 'server', '--add-handlers')
    expect(out).toContain('1 handler added: notes.create')
    const extended = readFileSync(handlers, 'utf8')
    expect(extended).toContain('list: () => ({ value:\t[] }), // mine')
    expect(extended).toContain('create: notImplemented,')
  })

  /** A runtime for clients as the package has it: module by module. */
  function modules(...at: readonly string[]): void {
    mkdirSync(join(...at, 'client'), { recursive: true })
    writeFileSync(join(...at, 'client', 'connection.ts'), '')
  }

  it('imports the runtime from where --runtime says, seen from here or from the output', async () => {
    const path = project()
    modules(path, 'shared')
    modules(path, 'out', '.hidden')
    const imported = async (runtime: string): Promise<string | undefined> => {
      await generate(path, '--only', 'client', '--runtime', runtime)
      return / from '(.*)\/client\/connection\.js'/.exec(readFileSync(join(path, 'out', 'client.ts'), 'utf8'))?.[1]
    }
    expect(await imported('shared')).toBe('../shared')
    expect(await imported('./shared')).toBe('../shared')
    expect(await imported('../shared')).toBe('../shared')
    expect(await imported('.hidden')).toBe('./.hidden')
  })

  it('shares the runtime that another output has beside it, if that has all that is needed', async () => {
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
    // A folder that was left over, with a file of the user's in it, is no part.
    mkdirSync(join(path, 'first', 'runtime', 'server'))
    writeFileSync(join(path, 'first', 'runtime', 'server', 'mine.ts'), '')
    expect((await share('--only', 'server')).code).toBe(2)
  })

  it.each([
    ['first', 'It is an output folder; its runtime is first/runtime.'],
    ['other', 'Name the runtime/ of another output folder'],
    ['folders', 'Name the runtime/ of another output folder'],
    ['.', 'neither from here nor from the output folder'],
    ['', "runtime '': there is no runtime"],
  ])('takes no other folder for a runtime: %j', async (runtime, message) => {
    const path = project()
    await runCommand(path, 'generate', 'spec.yaml', '--out', 'first')
    mkdirSync(join(path, 'other'))
    writeFileSync(join(path, 'other', 'client.ts'), 'export const app = 1')
    mkdirSync(join(path, 'folders', 'client.ts'), { recursive: true })
    const { code, err } = await generate(path, '--only', 'client', '--runtime', runtime)
    expect([code, err.includes(message)], err).toEqual([2, true])
    expect(files(join(path, 'out'))).toEqual([])
  })

  it('keeps the runtime of the output where the output is told to use that', async () => {
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
  ])('shares a runtime that comes with the same run: %s', async (_, own) => {
    const path = project()
    writeFileSync(join(path, 'specwright.yaml'), `services:\n  - ${shared}\n  - ${own}\n`)
    for (const _run of [1, 2]) {
      expect((await runCommand(path, 'generate')).code).toBe(0)
      expect(files(join(path, 'a', 'runtime'))).toEqual(['server.ts'])
    }
    expect(readFileSync(join(path, 'b', 'server.ts'), 'utf8')).toContain("from '../a/runtime/server.js'")
    expect((await runCommand(path, 'generate', '--check')).code).toBe(0)
  })

  it('does not share what the same run takes away', async () => {
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
      expect(await imports('client/connection.js')).toBe(true)
      writeFileSync(join(folder, 'client.js'), '')
      expect(await imports('client.js')).toBe(true)
    },
  )

  it('generates all services of specwright.yaml, or none when one has errors', async () => {
    const path = project()
    writeFileSync(join(path, 'broken.yaml'), sound.replace('entitySet: note', 'entitySet: nte'))
    const list = (second: string): string =>
      `services:\n  - { spec: spec.yaml, out: a, only: [types] }\n  - { spec: ${second}, out: b, only: [types] }\n`
    writeFileSync(join(path, 'specwright.yaml'), list('broken.yaml'))
    expect((await runCommand(path, 'generate')).code).toBe(1)
    expect([files(join(path, 'a')), files(join(path, 'b'))]).toEqual([[], []])
    writeFileSync(join(path, 'specwright.yaml'), list('spec.yaml'))
    expect(await runCommand(path, 'generate')).toEqual({ code: 0, out: '2 files: 2 created (0 ms)', err: '' })
  })

  it.each([
    ['', 'specwright.yaml:1:1: '],
    ['services: [{ spec: spec.yaml }]', 'specwright.yaml:1:12: expected a path in `out`'],
    ['services: [{ spec: spec.yaml, out: a, onyl: [] }]', 'unknown key "onyl"'],
    ['services: [{ spec: spec.yaml, out: a, only: [typs] }]', 'expected a list of types, client'],
    ['service: []', 'expected a list `services`'],
    [
      'services:\n  - { spec: spec.yaml, out: a }\n  - { spec: other.yaml, out: b/../a }',
      'specwright.yaml:3:30: line 2 names this folder, too; each service needs its own',
    ],
  ])('tells what is wrong with the project file %j', async (text, message) => {
    const path = project()
    writeFileSync(join(path, 'specwright.yaml'), text)
    const { code, err } = await runCommand(path, 'generate')
    expect(code).toBe(2)
    expect(err).toContain(message)
  })
})
