import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { filesIn as files, notesProject, runCommand, notesSpec as sound } from '../testing/run-command.js'

const { project, generate } = notesProject()

describe('specwright generate', () => {
  it('writes missing files, then nothing, then changed files, and prints their numbers', async () => {
    const path = project()
    expect(await generate(path, '--only', 'types')).toEqual({ code: 0, out: '1 file: 1 created (0 ms)', err: '' })
    expect((await generate(path, '--only', 'types')).out).toBe('1 file: 1 unchanged (0 ms)')
    writeFileSync(join(path, 'spec.yaml'), sound.replaceAll('text:', 'body:'))
    expect((await generate(path, '--only', 'types')).out).toBe('1 file: 1 updated (0 ms)')
    expect(readFileSync(join(path, 'out', 'types.ts'), 'utf8')).toContain('readonly body: string')
  })

  it('writes each artefact that --only names, and deletes what is no longer generated', async () => {
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

  it.each([
    ['', '{ type: Int64 }', 'note/x '],
    ['', '{ type: Decimal }', 'note/x '],
    ['', '{ type: Decimal, precision: 16 }', 'note/x '],
    ['  money: { kind: typeDefinition, type: Int64 }\n', '{ type: money }, y: { type: money }', 'note/x and 1 more '],
    ['', '{ type: Int64, minimum: 0, maximum: 9007199254740991 }', ''],
    ['', '{ type: Decimal, precision: 15 }', ''],
    ['  money: { kind: typeDefinition, type: Decimal, precision: 9 }\n', '{ type: money }', ''],
    ['', '{ type: Double }', ''],
  ])('says once which numbers make Int64 and Decimal strings: %j%s', async (more, type, named) => {
    const path = project(sound.replace('resources:\n', `resources:\n${more}`).replace('text:', `x: ${type}, text:`))
    const note = `note: ${named}can have more than the 15 digits that a JavaScript number keeps, so Int64 and Decimal are strings. --exact-numbers bigint makes Int64 bigints, and --exact-numbers number rounds.`
    expect((await generate(path)).err).toBe(named === '' ? '' : note)
    expect((await generate(path)).err).toBe('')
    for (const chosen of ['number', 'string', 'bigint']) {
      const { err } = await runCommand(path, 'generate', 'spec.yaml', '--out', chosen, '--exact-numbers', chosen)
      expect(err).toBe('')
    }
  })

  it('does not write into the root of the file system', async () => {
    const { code, err } = await runCommand(project(), 'generate', 'spec.yaml', '--out', '/')
    expect([code, err]).toEqual([2, expect.stringContaining('The output folder is the root of the file system.')])
  })

  it('writes nothing when the spec has errors', async () => {
    const path = project(sound.replace('type: String, computed', 'type: Strng, computed'))
    const { code, err } = await generate(path)
    expect([code, files(join(path, 'out'))]).toEqual([1, []])
    expect(err).toContain('spec.yaml:4:66 error spec/unknown-type')
  })

  it('--check distinguishes current, missing, changed and surplus files, and writes nothing', async () => {
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

  it('--check lists twenty files and the number of the others', async () => {
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

  it('--diff prints a unified diff, --dry-run prints the actions, and neither writes anything', async () => {
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

  it('writes nothing if a file is not generated', async () => {
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

  it.each([['--out', 'a'], ['--runtime', 'a'], ['--compiled-runtime'], ['--import-extension', 'ts']])(
    'takes %s with a spec only: a project file says it for each service',
    async (...args) => {
      const path = project()
      writeFileSync(join(path, 'specwright.yaml'), 'services: [{ spec: spec.yaml, out: a }]')
      const { code, err } = await runCommand(path, 'generate', ...args)
      expect([code, err.includes(`${args[0]} belongs to one spec`)]).toEqual([2, true])
      expect(files(join(path, 'a'))).toEqual([])
    },
  )

  it('generates all services of specwright.yaml, or none if one has errors', async () => {
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
    ['services: [{ spec: spec.yaml, out: a, compiledRuntime: yes }]', 'expected true or false in `compiledRuntime`'],
    [
      'services: [{ spec: spec.yaml, out: a, importExtension: .ts }]',
      'expected one of js, ts, none in `importExtension`',
    ],
    [
      'services: [{ spec: spec.yaml, out: a, runtime: b, compiledRuntime: true }]',
      'a service with a `runtime` has no runtime of its own to compile',
    ],
    ['service: []', 'expected a list `services`'],
    [
      'services:\n  - { spec: spec.yaml, out: a }\n  - { spec: other.yaml, out: b/../a }',
      'specwright.yaml:3:30: line 2 already names this folder. Each service needs its own',
    ],
  ])('reports the error in the project file %j', async (text, message) => {
    const path = project()
    writeFileSync(join(path, 'specwright.yaml'), text)
    const { code, err } = await runCommand(path, 'generate')
    expect(code).toBe(2)
    expect(err).toContain(message)
  })
})
