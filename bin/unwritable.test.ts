import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { runCommand } from './testing/run-command.js'
import { temporaryFolders } from './testing/temporary-folder.js'

const metadata =
  '<edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices>' +
  '<Schema Namespace="shop" xmlns="http://docs.oasis-open.org/odata/ns/edm">' +
  '<EntityType Name="Item"><Key><PropertyRef Name="Id"/></Key><Property Name="Id" Type="Edm.String" Nullable="false"/>' +
  '</EntityType><EntityContainer Name="c"><EntitySet Name="Items" EntityType="shop.Item"/></EntityContainer>' +
  '</Schema></edmx:DataServices></edmx:Edmx>'

describe('a file that cannot be written', () => {
  const temporaryFolder = temporaryFolders()
  const isFile = (shown: string): string =>
    `${shown} cannot be written (ENOTDIR): a file stands where a folder has to be. Move it away, or name another file.`
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
  ])('is told with what to do next: specwright %s', async (line, told) => {
    const folder = temporaryFolder()
    await runCommand(folder, 'init')
    writeFileSync(join(folder, 'metadata.xml'), metadata)
    writeFileSync(join(folder, 'file'), '')
    mkdirSync(join(folder, 'folder.jsonl'))
    const before = readdirSync(folder)
    const { code, err } = await runCommand(folder, ...line.split(' '))
    expect([code, err]).toEqual([2, expect.stringContaining(`error: ${told}`)])
    expect(readdirSync(folder)).toEqual(before)
  })
})

describe('an output folder that cannot be written', () => {
  const temporaryFolder = temporaryFolders()

  it.each([
    [
      'link',
      'link:1:1 error output/no-folder: The output folder is a symbolic link that leads nowhere. Make the folder that it names, or name another.',
    ],
    [
      'link/out',
      'link/out:1:1 error output/unwritable: The output cannot be written (ENOENT): on the way to it is a link',
    ],
    ['file/out', 'file/out:1:1 error output/no-folder: The output cannot be written (ENOTDIR): a file stands where'],
  ])('is told with what to do next: %s', async (out, told) => {
    const folder = temporaryFolder()
    await runCommand(folder, 'init')
    writeFileSync(join(folder, 'file'), '')
    symlinkSync('none', join(folder, 'link'))
    const { code, err } = await runCommand(folder, 'generate', 'spec.yaml', '--out', out, '--only', 'types')
    expect([code, err]).toEqual([2, expect.stringContaining(told)])
  })
})
