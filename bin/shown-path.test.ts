import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { runCommand } from './testing/run-command.js'
import { temporaryFolders } from './testing/temporary-folder.js'

const isFolder = /^(?:error: )?\.:1:1 error file\/is-a-folder: This is a folder; name the file in it\.$/m

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
  ])('has a name, and what is wrong with it: specwright %s', async line => {
    const folder = temporaryFolder()
    await runCommand(folder, 'init')
    const { out, err } = await runCommand(folder, ...line.split(' '))
    expect(`${out}\n${err}`.replaceAll('./:1:1', '.:1:1')).toMatch(isFolder)
  })

  it('has one in a project, too', async () => {
    const folder = temporaryFolder()
    writeFileSync(join(folder, 'specwright.yaml'), 'services: [{ spec: ., out: src }]')
    for (const command of ['validate', 'generate']) {
      const { out, err } = await runCommand(folder, command)
      expect(`${out}\n${err}`).toMatch(isFolder)
    }
  })
})
