import { describe, expect, it } from 'vitest'
import { runCommand } from './testing/run-command.js'
import { temporaryFolders } from './testing/temporary-folder.js'

const folder = temporaryFolders()
const commands = [
  'validate',
  'generate',
  'export',
  'import',
  'init',
  'schema',
  'serve',
  'seed',
  'conformance',
  'completion',
]

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

  it('help COMMAND prints the same as COMMAND --help, help the same as --help', async () => {
    expect(await runCommand(folder(), 'help', 'export')).toEqual(await runCommand(folder(), 'export', '--help'))
    expect(await runCommand(folder(), 'help')).toEqual(await runCommand(folder(), '--help'))
  })

  it.each([
    [['validate', 'x.yaml'], { valid: false, specs: [{ path: 'x.yaml', valid: false }] }],
    [['generate', 'x.yaml', '--out', 'y'], { written: false, current: false, files: [], addedHandlers: [] }],
    [['import', 'x.xml', '--out', 'y.yaml'], { spec: null }],
    [['seed', 'x.yaml', '--rows', '1', '--out', 'y.jsonl'], { file: null }],
  ])('%j --json prints one JSON document for an error as well', async (args, expected) => {
    const { code, out, err } = await runCommand(folder(), ...args, '--json')
    expect([code, err]).toEqual([1, ''])
    expect(JSON.parse(out)).toMatchObject({ ...expected, diagnostics: [{ code: 'file/not-found' }] })
  })

  it('prints its version', async () => {
    expect(await runCommand(folder(), '--version')).toEqual({ code: 0, out: '1.2.3', err: '' })
  })

  it.each([
    [[], 'Usage: specwright'],
    [['validat', 'x.yaml'], "unknown command 'validat'"],
    [['help', 'nope'], "error: unknown command 'nope'"],
    [['help', 'exprt'], '(Did you mean export?)'],
    [['generate', 'x.yaml', '--ouput', 'y'], "unknown option '--ouput'"],
    [['generate', 'x.yaml', '--out', 'y', '--only', 'types,cilent'], '"cilent" is not one of types, client'],
    [['export', 'x.yaml', '--format', 'opnapi'], 'Allowed choices are openapi'],
    [['export', 'x.yaml'], "required option '--format <format>' not specified"],
    [['generate', 'x.yaml'], 'Add --out FOLDER'],
    [['generate', 'x.yaml', '--out', ''], 'Add --out FOLDER'],
    [['init', 'api/'], 'Name the file in it: api/spec.yaml'],
    [['init', 'api.JSON'], 'Name a YAML file: api.yaml'],
    [['generate', 'x.yaml', '--out', 'y', '--check', '--watch'], '--check writes nothing'],
    [['generate'], 'no specwright.yaml here. Name a spec: specwright generate service.yaml --out FOLDER'],
    [
      ['generate', 'x.yaml', '--out', 'y', '--templates', 'z'],
      'The templates in z cannot be read: there is no such folder.',
    ],
    [['export', 'x.yaml', '--format', 'openapi', '--out', ''], '--out is empty'],
    [['schema', '--watch'], '--watch needs a spec and a file'],
    [['schema', 'x.yaml', '--out', ''], '--out is empty'],
    [['generate', 'x.yaml', '--out', 'y', '--json', '--diff'], "'--json' cannot be used with option '--diff'"],
    [['validate', 'x.yaml', '--json', '--format', 'plain'], "'--json' cannot be used with option '--format"],
    [['seed', 'x.yaml', '--rows', '1', '--json'], 'Add --out FILE.jsonl'],
    [['import', 'x.xml', '--json'], 'Add --out FILE'],
    [['completion', 'tcsh'], 'Allowed choices are bash, zsh, fish'],
    [['validate'], 'no specwright.yaml here'],
    [['generate', 'x.yaml', 'z.yaml', '--out', 'y'], 'too many arguments'],
  ])('%j is a usage error with a message', async (args, message) => {
    const { code, out, err } = await runCommand(folder(), ...args)
    expect(code).toBe(2)
    expect(out + err).toContain(message)
  })
})
