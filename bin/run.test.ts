import { describe, expect, it } from 'vitest'
import { runCommand } from './testing/run-command.js'
import { temporaryFolders } from './testing/temporary-folder.js'

const folder = temporaryFolders()
const commands = ['validate', 'generate', 'export', 'import', 'init', 'serve', 'seed', 'conformance', 'completion']

describe('specwright', () => {
  it('lists its commands, with examples and exit codes', async () => {
    const { code, out } = await runCommand(folder(), '--help')
    expect(code).toBe(0)
    for (const command of commands) expect(out).toContain(command)
    expect(out).toContain('Examples:')
    expect(out).toContain('Exit codes:')
  })

  it.each(commands)('%s --help shows examples', async command => {
    const { code, out } = await runCommand(folder(), command, '--help')
    expect(code).toBe(0)
    expect(out).toMatch(new RegExp(`Usage: specwright ${command}`))
    expect(out).toContain('Examples:')
  })

  it('prints its version', async () => {
    expect(await runCommand(folder(), '--version')).toEqual({ code: 0, out: '1.2.3', err: '' })
  })

  it.each([
    [[], 'Usage: specwright'],
    [['validat', 'x.yaml'], "unknown command 'validat'"],
    [['generate', 'x.yaml', '--ouput', 'y'], "unknown option '--ouput'"],
    [['generate', 'x.yaml', '--out', 'y', '--only', 'types,cilent'], '"cilent" is none of types, client'],
    [['export', 'x.yaml', '--format', 'opnapi'], 'Allowed choices are openapi'],
    [['export', 'x.yaml'], "required option '--format <format>' not specified"],
    [['generate', 'x.yaml'], 'Add --out FOLDER'],
    [['generate', 'x.yaml', '--out', ''], 'Add --out FOLDER'],
    [['init', 'api/'], 'Name the file in it: api/spec.yaml'],
    [['generate', 'x.yaml', '--out', 'y', '--check', '--watch'], '--check writes nothing'],
    [['generate'], 'no specwright.yaml here'],
    [['validate'], 'no specwright.yaml here'],
    [['generate', 'x.yaml', 'z.yaml', '--out', 'y'], 'too many arguments'],
  ])('%j is a usage error, told in words', async (args, message) => {
    const { code, out, err } = await runCommand(folder(), ...args)
    expect(code).toBe(2)
    expect(out + err).toContain(message)
  })
})
