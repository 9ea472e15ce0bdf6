import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { shellQuote } from './output.js'
import { runCommand } from './testing/run-command.js'
import { temporaryFolders } from './testing/temporary-folder.js'

describe('a path in a command', () => {
  const temporaryFolder = temporaryFolders()

  it.each([
    ['api/todo-1.yaml', 'api/todo-1.yaml'],
    ['my spec.yaml', '"my spec.yaml"'],
    ["it's.yaml", '"it\'s.yaml"'],
    ['~/spec.yaml', '"~/spec.yaml"'],
    ['$HOME/spec.yaml', "'$HOME/spec.yaml'"],
    ["it's $5.yaml", String.raw`'it'\''s $5.yaml'`],
    ['-x.yaml', './-x.yaml'],
    ['', '""'],
  ])('%s is written %s', (path, written) => {
    expect(shellQuote(path)).toBe(written)
  })

  it.skipIf(process.platform === 'win32')('is what a shell makes of it', () => {
    const character = fc.constantFrom(...' \'"$`\\!~*?;&|<>(){}[]#=%^-a/\té')
    const paths = fc.array(fc.string({ unit: character, minLength: 1, maxLength: 12 }), {
      minLength: 20,
      maxLength: 20,
    })
    fc.assert(
      fc.property(paths, given => {
        const line = `printf '%s\\n' ${given.map(shellQuote).join(' ')}`
        const read = execFileSync('/bin/sh', ['-c', line], { encoding: 'utf8' }).split('\n').slice(0, -1)
        expect(read).toEqual(given.map(path => (path.startsWith('-') ? `./${path}` : path)))
      }),
      { numRuns: 20 },
    )
  })

  it('is written like this in the output of init', async () => {
    const folder = temporaryFolder()
    const { out } = await runCommand(folder, 'init', 'my spec.yaml')
    expect(out).toContain('\n  npx specwright validate "my spec.yaml"\n')
    expect(out).toContain('\n  npx specwright generate "my spec.yaml" --out generated')
    const text = readFileSync(join(folder, 'my spec.yaml'), 'utf8')
    expect(text).toContain('# A service')
    expect(text).toContain('npx specwright validate "my spec.yaml" ')
    expect((await runCommand(folder, 'validate', 'my spec.yaml')).code).toBe(0)
  })

  it('is written like this in the advice on a missing spec', async () => {
    const { out } = await runCommand(temporaryFolder(), 'validate', 'my spec.yaml')
    expect(out).toContain('Start one with: specwright init "my spec.yaml"')
  })

  it('is written like this in the advice on an existing journal', async () => {
    const folder = temporaryFolder()
    writeFileSync(join(folder, 'my journal'), '')
    const options = ['http://127.0.0.1:1/v1', '--allow-writes', '--journal', 'my journal']
    expect((await runCommand(folder, 'conformance', ...options)).err).toMatch(/with --cleanup "my journal", then/)
  })
})

const isFolder = /^(?:error: )?\.:1:1 error file\/is-a-folder: This is a folder. Name a file in it\.$/m

describe('the current folder, given as a file', () => {
  const temporaryFolder = temporaryFolders()

  it.each([
    'validate .',
    'validate ./',
    'generate . --out src',
    'generate ./ --out src',
    'export . --format openapi',
    'import .',
    'serve .',
    'serve spec.yaml --data .',
    'serve spec.yaml --data ./',
    'seed . --rows 1',
    'conformance http://127.0.0.1:1/v1 --spec .',
    'conformance http://127.0.0.1:1/v1 --known-failures .',
  ])('is reported by name, with the error: specwright %s', async line => {
    const folder = temporaryFolder()
    await runCommand(folder, 'init')
    const { out, err } = await runCommand(folder, ...line.split(' '))
    expect(`${out}\n${err}`.replaceAll('./:1:1', '.:1:1')).toMatch(isFolder)
  })

  it('is also reported by name in a project', async () => {
    const folder = temporaryFolder()
    writeFileSync(join(folder, 'specwright.yaml'), 'services: [{ spec: ., out: src }]')
    for (const command of ['validate', 'generate']) {
      const { out, err } = await runCommand(folder, command)
      expect(`${out}\n${err}`).toMatch(isFolder)
    }
  })
})

const metadata =
  '<edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices>' +
  '<Schema Namespace="shop" xmlns="http://docs.oasis-open.org/odata/ns/edm">' +
  '<EntityType Name="Item"><Key><PropertyRef Name="Id"/></Key><Property Name="Id" Type="Edm.String" Nullable="false"/>' +
  '</EntityType><EntityContainer Name="c"><EntitySet Name="Items" EntityType="shop.Item"/></EntityContainer>' +
  '</Schema></edmx:DataServices></edmx:Edmx>'

describe('a file that cannot be written', () => {
  const temporaryFolder = temporaryFolders()
  const isFile = (shown: string): string =>
    `${shown} cannot be written (ENOTDIR): a file is in the place of a folder. Move it away, or name another file.`
  const long = `${'x'.repeat(300)}.jsonl`

  it.each([
    ['init none/a.yaml', 'The folder of none/a.yaml does not exist. Create it first.'],
    ['init file/a.yaml', isFile('file/a.yaml')],
    [`init ${long}`, `${long} cannot be written (ENAMETOOLONG). Name another file.`],
    ['seed spec.yaml --rows 1 --out none/a.jsonl', 'The folder of none/a.jsonl does not exist. Create it first.'],
    ['seed spec.yaml --rows 1 --out file/a.jsonl', isFile('file/a.jsonl')],
    ['seed spec.yaml --rows 1 --out folder.jsonl', 'folder.jsonl is a folder. Name a file in it.'],
    ['import metadata.xml --out none/a.yaml', 'The folder of none/a.yaml does not exist. Create it first.'],
    ['import metadata.xml --out file/a.yaml', isFile('file/a.yaml')],
    ['import metadata.xml --out folder.jsonl --force', 'folder.jsonl is a folder. Name a file in it.'],
    ['conformance http://127.0.0.1:1/v1 --allow-writes --journal none/a', 'The folder of none/a does not exist.'],
    ['conformance http://127.0.0.1:1/v1 --allow-writes --journal file/a', isFile('file/a')],
  ])('is reported with a next step: specwright %s', async (line, expected) => {
    const folder = temporaryFolder()
    await runCommand(folder, 'init')
    writeFileSync(join(folder, 'metadata.xml'), metadata)
    writeFileSync(join(folder, 'file'), '')
    mkdirSync(join(folder, 'folder.jsonl'))
    const before = readdirSync(folder)
    const { code, err } = await runCommand(folder, ...line.split(' '))
    expect([code, err]).toEqual([2, expect.stringContaining(`error: ${expected}`)])
    expect(readdirSync(folder)).toEqual(before)
  })
})

describe('an output folder that cannot be written', () => {
  const temporaryFolder = temporaryFolders()

  it.each([
    [
      'link',
      'link:1:1 error output/no-folder: The output folder is a symbolic link whose target does not exist. Create the target, or name another folder.',
    ],
    [
      'link/out',
      'link/out:1:1 error output/unwritable: The output cannot be written (ENOENT): on the way to it is a link',
    ],
    [
      'file/out',
      'file/out:1:1 error output/no-folder: The output cannot be written (ENOTDIR): a file is in the place of a folder',
    ],
  ])('is reported with a next step: %s', async (out, expected) => {
    const folder = temporaryFolder()
    await runCommand(folder, 'init')
    writeFileSync(join(folder, 'file'), '')
    symlinkSync('none', join(folder, 'link'))
    const { code, err } = await runCommand(folder, 'generate', 'spec.yaml', '--out', out, '--only', 'types')
    expect([code, err]).toEqual([2, expect.stringContaining(expected)])
  })
})
