import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { run } from '../run.js'
import { runCommand, testTerminal } from '../testing/run-command.js'
import { temporaryFolders } from '../testing/temporary-folder.js'

const folder = temporaryFolders()

/** A folder with the spec that `init` writes. */
async function project(): Promise<string> {
  const path = folder()
  await runCommand(path, 'init', 'todo.yaml')
  return path
}

const examplesOfType = (text: string): unknown => JSON.parse(text).$defs.property.properties.type.examples

describe('specwright schema', () => {
  it('prints the JSON Schema of the language, and with a spec also its names', async () => {
    const path = await project()
    const language = await runCommand(path, 'schema')
    expect([language.code, language.err]).toEqual([0, ''])
    expect(examplesOfType(language.out)).toContain('DateTimeOffset')
    expect(examplesOfType(language.out)).not.toContain('task')
    const { out } = await runCommand(path, 'schema', 'todo.yaml')
    expect(examplesOfType(out)).toEqual(expect.arrayContaining(['list', 'task', 'priority', 'DateTimeOffset']))
  })

  it('writes a file, says how the spec refers to it, and writes it again', async () => {
    const path = await project()
    const first = await runCommand(path, 'schema', 'todo.yaml', '--out', 'todo.schema.json')
    const comment = '# yaml-language-server: $schema=./todo.schema.json'
    expect([first.code, first.out]).toEqual([0, ''])
    expect(first.err).toContain(comment)
    const spec = readFileSync(join(path, 'todo.yaml'), 'utf8')
    writeFileSync(join(path, 'todo.yaml'), `${comment}\n${spec.replaceAll('priority', 'urgency')}`)
    const second = await runCommand(path, 'schema', 'todo.yaml', '--out', 'todo.schema.json')
    expect(second).toEqual({ code: 0, out: '', err: 'Wrote todo.schema.json.' })
    expect(examplesOfType(readFileSync(join(path, 'todo.schema.json'), 'utf8'))).toContain('urgency')
  })

  it('knows the names of a spec with errors, but none of a text that is not YAML', async () => {
    const path = await project()
    writeFileSync(join(path, 'half.yaml'), 'specwright: 1\nresources:\n  task:\n    kind: entityType\n    kex:\n')
    const { code, out } = await runCommand(path, 'schema', 'half.yaml')
    expect(code).toBe(0)
    expect(examplesOfType(out)).toContain('task')
    writeFileSync(join(path, 'broken.yaml'), 'a: [')
    const broken = await runCommand(path, 'schema', 'broken.yaml')
    expect([broken.code, broken.out]).toEqual([1, ''])
    expect(broken.err).toContain('broken.yaml:1:')
    expect((await runCommand(path, 'schema', 'todo.yml')).err).toContain('Did you mean "todo.yaml"?')
  })

  it('never overwrites a file that it did not write', async () => {
    const path = await project()
    const before = readFileSync(join(path, 'todo.yaml'), 'utf8')
    const { code, err } = await runCommand(path, 'schema', 'todo.yaml', '--out', 'todo.yaml')
    expect([code, err]).toEqual([
      2,
      'error: todo.yaml was not written by this command, and was not changed. Name another file.',
    ])
    expect(readFileSync(join(path, 'todo.yaml'), 'utf8')).toBe(before)
    expect((await runCommand(path, 'schema', 'todo.yaml', '--out', '.')).code).toBe(2)
    expect((await runCommand(path, 'schema', '--out', 'missing/x.json')).code).toBe(2)
  })

  it('with --watch writes the file again when the spec changes, until it is stopped', async () => {
    const path = await project()
    const { terminal } = testTerminal(path)
    const file = join(path, 'todo.schema.json')
    const spec = join(path, 'todo.yaml')
    const before = process.cwd()
    process.chdir(path)
    const code = await run(
      ['schema', 'todo.yaml', '--out', 'todo.schema.json', '--watch'],
      {
        ...terminal,
        stopped: async () => {
          writeFileSync(spec, readFileSync(spec, 'utf8').replaceAll('priority', 'urgency'))
          await expect.poll(() => readFileSync(file, 'utf8'), { timeout: 1_800_000 }).toContain('urgency')
        },
      },
      '1.2.3',
    ).finally(() => process.chdir(before))
    expect(code).toBe(0)
  })
})
