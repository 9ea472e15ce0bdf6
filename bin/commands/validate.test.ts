import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { notesProject, notesSpec, runCommand } from '../testing/run-command.js'
import { temporaryFolders } from '../testing/temporary-folder.js'

const folder = temporaryFolders()
const notes = notesProject()

const sound = `specwright: 1
service: { name: notes, version: v1 }
resources:
  note: { kind: entityType, key: [id], properties: { id: { type: String } } }
container: { notes: { entitySet: note } }
paths: { /notes: { get: { returns: collection } } }
errors: {}
`

function spec(text: string): string {
  const path = folder()
  writeFileSync(join(path, 'spec.yaml'), text)
  return path
}

describe('specwright validate', () => {
  it('reports that a valid spec is valid, and its size', async () => {
    expect(await runCommand(spec(sound), 'validate', 'spec.yaml')).toEqual({
      code: 0,
      out: 'spec.yaml: valid (1 endpoint, 1 type)',
      err: '',
    })
  })

  it('prints every error with its location, and the number of errors', async () => {
    const broken = sound.replace('type: String', 'type: Strng').replace('entitySet: note', 'entitySet: nte')
    const { code, out, err } = await runCommand(spec(broken), 'validate', 'spec.yaml')
    expect(code).toBe(1)
    expect(out).toMatch(/^spec\.yaml:4:66 error spec\/unknown-type: .*String/m)
    expect(out).toMatch(/^spec\.yaml:5:34 error spec\/unknown-entity-type: .*note/m)
    expect(err).toBe('2 errors, 0 warnings')
  })

  it('counts a note as a note', async () => {
    const noted = sound
      .replace('returns: collection', 'returns: collection, query: notes')
      .concat('operations: { isOld: { kind: function, binding: note, returns: { type: Boolean } } }\n')
      .concat('queryOptions: { notes: { filter: { functions: [notes.isOld] } } }\n')
    const { code, out, err } = await runCommand(spec(noted), 'validate', 'spec.yaml')
    expect([code, out]).toEqual([0, expect.stringContaining('note spec/function-without-definition')])
    expect(err).toBe('0 errors, 0 warnings, 1 note')
  })

  it.each(['plain', 'pretty', 'json', 'github'])('writes errors as %s', async format => {
    const broken = sound.replace('type: String', 'type: Strng')
    const { code, out } = await runCommand(spec(broken), 'validate', 'spec.yaml', '--format', format)
    expect(code).toBe(1)
    if (format === 'json') expect(JSON.parse(out)).toMatchObject([{ code: 'spec/unknown-type', severity: 'error' }])
    if (format === 'github') expect(out).toContain('::error file=spec.yaml,line=4,')
    if (format === 'pretty') expect(out).toContain('^')
  })

  it.each([
    ['a file that is missing', (_: string) => {}],
    ['an empty file', (path: string) => writeFileSync(path, '')],
    ['a folder', (path: string) => mkdirSync(path)],
    ['text that is no YAML', (path: string) => writeFileSync(path, 'a: [b\n"c')],
    ['a file that is not UTF-8', (path: string) => writeFileSync(path, Buffer.from([0x61, 0xff, 0xfe, 0x00]))],
    ['a YAML bomb', (path: string) => writeFileSync(path, bomb())],
    ['duplicate keys', (path: string) => writeFileSync(path, `${sound}errors: {}\n`)],
    ['50 MB', (path: string) => writeFileSync(path, Buffer.alloc(50_000_000, 'a: b\n'))],
  ])('reports %s in one clear error', async (_, make) => {
    const path = folder()
    make(join(path, 'spec.yaml'))
    const { code, out } = await runCommand(path, 'validate', 'spec.yaml')
    expect(code).toBe(1)
    expect(out).toMatch(/^spec\.yaml:\d+:\d+ error [a-z-]+\/[a-z0-9-]+: .{10}/)
  })

  it('checks the specs that specwright.yaml names', async () => {
    const path = spec(sound)
    writeFileSync(join(path, 'specwright.yaml'), 'services: [{ spec: spec.yaml, out: generated }]\n')
    expect((await runCommand(path, 'validate')).out).toBe('spec.yaml: valid (1 endpoint, 1 type)')
  })
})

/** Nine levels of aliases, nine times each: half a billion nodes if expanded. */
function bomb(): string {
  const levels = ['a: &a [x,x,x,x,x,x,x,x,x]']
  for (const [here, before] of ['ba', 'cb', 'dc', 'ed', 'fe', 'gf', 'hg', 'ih'].map(pair => [...pair])) {
    levels.push(`${here}: &${here} [${Array.from({ length: 9 }, () => `*${before}`).join(',')}]`)
  }
  return `${levels.join('\n')}\n`
}

describe('a spec in several files', () => {
  it('is validated, generated and exported, and errors name the included file', async () => {
    const path = notes.project(notesSpec.replace(/resources:\n.*\n/, 'resources: { $include: parts/types.yaml }\n'))
    mkdirSync(join(path, 'parts'))
    const [, types = ''] = /resources:\n {2}(.*\n)/.exec(notesSpec) ?? []
    writeFileSync(join(path, 'parts/types.yaml'), types)
    expect((await runCommand(path, 'validate', 'spec.yaml')).out).toBe('spec.yaml: valid (1 endpoint, 1 type)')
    expect((await notes.generate(path, '--only', 'types')).out).toBe('1 file: 1 created (0 ms)')
    expect((await runCommand(path, 'export', 'spec.yaml', '--format', 'jsonschema')).out).toContain('"note"')
    writeFileSync(join(path, 'parts/types.yaml'), types.replace('type: String, computed', 'type: Strng, computed'))
    const { code, err } = await notes.generate(path, '--format', 'pretty')
    expect([code, err]).toEqual([
      1,
      expect.stringContaining(`--> ${join('parts', 'types.yaml')}:1:64\n1 | …operties: {`),
    ])
  })
})
