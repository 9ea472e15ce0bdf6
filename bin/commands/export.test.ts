import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import { runCommand } from '../testing/run-command.js'
import { temporaryFolders } from '../testing/temporary-folder.js'

const folder = temporaryFolders()

describe('specwright init and export', () => {
  it('init writes a spec that is valid, and never overwrites one', async () => {
    const path = folder()
    expect((await runCommand(path, 'init')).code).toBe(0)
    expect((await runCommand(path, 'validate', 'spec.yaml')).code).toBe(0)
    const again = await runCommand(path, 'init')
    expect([again.code, again.err]).toEqual([
      2,
      'error: spec.yaml already exists and was not changed. Name another file.',
    ])
    expect((await runCommand(path, 'init', 'missing/spec.yaml')).code).toBe(2)
  })

  it.each([
    ['.', './node_modules/'],
    ['api', '../node_modules/'],
    ['api/v1', '../../node_modules/'],
  ])('init in the folder %s leads an editor to the JSON Schema', async (to, start) => {
    const path = folder()
    mkdirSync(join(path, to), { recursive: true })
    await runCommand(path, 'init', `${to}/spec.yaml`)
    expect(readFileSync(join(path, to, 'spec.yaml'), 'utf8')).toContain(`$schema=${start}specwright/spec/`)
    mkdirSync(join(path, to, 'node_modules/specwright/spec'), { recursive: true })
    writeFileSync(join(path, to, 'node_modules/specwright/spec/specwright.schema.json'), '{}')
    await runCommand(path, 'init', `${to}/other.yaml`)
    expect(readFileSync(join(path, to, 'other.yaml'), 'utf8')).toContain('$schema=./node_modules/')
  })

  it("init with Yarn's Plug'n'Play names the command that writes the JSON Schema, and that of Yarn", async () => {
    const path = folder()
    writeFileSync(join(path, '.pnp.cjs'), '')
    vi.stubEnv('npm_config_user_agent', 'yarn/4.9.0 npm/? node/v22.0.0 linux x64')
    const { out } = await runCommand(path, 'init', 'todo.yaml')
    vi.unstubAllEnvs()
    expect(out).toContain('\n  yarn specwright validate todo.yaml\n')
    const text = readFileSync(join(path, 'todo.yaml'), 'utf8')
    expect(text).toContain('\n#   yarn specwright validate todo.yaml ')
    expect(text).toContain('\n# Completion in an editor: yarn specwright schema todo.yaml --out todo.schema.json\n')
    expect(text).not.toMatch(/npx|node_modules/)
  })

  it.each([
    ['npm/11.0.0', 'npx specwright'],
    ['pnpm/10.0.0', 'pnpm exec specwright'],
    ['bun/1.3.0', 'bunx specwright'],
    ['', 'npx specwright'],
  ])('init for %s names the command %s', async (agent, command) => {
    vi.stubEnv('npm_config_user_agent', agent)
    const { out } = await runCommand(folder(), 'init')
    vi.unstubAllEnvs()
    expect(out).toContain(`\n  ${command} validate spec.yaml\n`)
  })

  it.each(['.', './'])('init %s suggests a file name', async given => {
    const { code, err } = await runCommand(folder(), 'init', given)
    expect([code, err]).toEqual([2, `error: ${given} is a folder. Name the file in it: ./spec.yaml`])
  })

  it.each([
    [
      'openapi',
      (text: string) => expect(JSON.parse(text)).toMatchObject({ openapi: expect.stringMatching(/^3\.1\./) }),
    ],
    [
      'csdl-xml',
      (text: string) => expect(text).toMatch(/^<\?xml version="1\.0" encoding="UTF-8"\?>\n[\s\S]*<edmx:Edmx /),
    ],
    ['csdl-json', (text: string) => expect(JSON.parse(text)).toMatchObject({ $Version: '4.01' })],
    ['jsonschema', (text: string) => expect(JSON.parse(text)).toHaveProperty('$defs')],
  ])('export --format %s prints one document', async (format, check) => {
    const path = folder()
    await runCommand(path, 'init')
    const { code, out, err } = await runCommand(path, 'export', 'spec.yaml', '--format', format)
    expect([code, err]).toEqual([0, ''])
    check(out)
  })

  it.each(['openapi', 'csdl-xml', 'csdl-json', 'jsonschema'])(
    'export --format %s --out writes a file, overwrites its own, and no other',
    async format => {
      const path = folder()
      await runCommand(path, 'init')
      const to = (file: string) => runCommand(path, 'export', 'spec.yaml', '--format', format, '--out', file)
      expect(await to('document')).toEqual({ code: 0, out: '', err: 'Wrote document.' })
      const spec = readFileSync(join(path, 'spec.yaml'), 'utf8')
      writeFileSync(join(path, 'spec.yaml'), spec.replaceAll('priority', 'urgency'))
      expect((await to('document')).code).toBe(0)
      expect(readFileSync(join(path, 'document'), 'utf8')).toContain('urgency')
      const other = await to('spec.yaml')
      expect([other.code, other.err]).toEqual([
        2,
        'error: spec.yaml was not written by this command, and was not changed. Name another file.',
      ])
    },
  )

  it('export prints nothing but errors of a broken spec', async () => {
    const path = folder()
    writeFileSync(join(path, 'spec.yaml'), 'specwright: 2\n')
    const { code, out, err } = await runCommand(path, 'export', 'spec.yaml', '--format', 'openapi')
    expect([code, out]).toEqual([1, ''])
    expect(err).toContain('spec.yaml:1:13 error ')
  })
})
