import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { runCommand } from './testing/run-command.js'
import { temporaryFolders } from './testing/temporary-folder.js'

describe('a missing file', () => {
  const temporaryFolder = temporaryFolders()

  it.each([
    ['validate tdo.yaml', 'tdo.yaml:1:1 error file/not-found: There is no such file. Did you mean "todo.yaml"?'],
    [
      'export service.yaml --format openapi',
      'service.yaml:1:1 error file/not-found: There is no such file. Start one with: specwright init service.yaml',
    ],
    ['import metdata.xml', 'metdata.xml:1:1 error file/not-found: There is no such file. Did you mean "metadata.xml"?'],
    [
      'import csdl.json',
      'csdl.json:1:1 error file/not-found: There is no such file. Save the response of the service to $metadata there.',
    ],
    [`validate ${'a'.repeat(300)}`, 'ENAMETOOLONG'],
    ['validate todo.yaml/spec.yaml', 'There is no such file.'],
  ])('specwright %s', async (line, expected) => {
    const folder = temporaryFolder()
    for (const name of ['todo.yaml', 'metadata.xml']) writeFileSync(join(folder, name), '')
    const { code, out, err } = await runCommand(folder, ...line.split(' '))
    expect([code, `${out}${err}`]).toEqual([1, expect.stringContaining(expected)])
  })
})
