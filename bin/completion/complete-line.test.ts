import type { Command } from 'commander'
import { describe, expect, it } from 'vitest'
import { artefactNames } from '../../generator/generate-options.js'
import { createProgram } from '../run.js'
import { testTerminal } from '../testing/run-command.js'
import { completeLine, formatForShell, placeholderOf, valueSourceOf } from './complete-line.js'

const program = createProgram(testTerminal('.').terminal, () => {}, '1.2.3')

const offered = async (line: string): Promise<readonly string[]> =>
  formatForShell(await completeLine(program, line)).split('\n')

const words = async (line: string): Promise<readonly string[]> =>
  (await offered(line)).slice(1).map(text => text.replace(/\t.*/, ''))

describe('the completions of a command line are', () => {
  it.each<[line: string, expected: readonly string[]]>([
    ['specwright val', ['validate']],
    ['specwright c', ['conformance', 'completion']],
    ['./node_modules/.bin/specwright exp', ['export']],
    ['specwright help gen', ['generate']],
    ['specwright --ver', ['--version']],
    ['specwright validate --fo', ['--format']],
    ['specwright validate --format ', ['pretty', 'plain', 'json', 'github']],
    ['specwright validate --format=p', ['--format=pretty', '--format=plain']],
    ['specwright export a.yaml --format csdl', ['csdl-xml', 'csdl-json']],
    ['specwright serve --log ', ['json', 'pretty', 'off']],
    ['specwright serve --store ', ['sqlite:', 'sqlite::memory:', 'postgres://']],
    ['specwright serve --store sqlite::', ['sqlite::memory:']],
    ['specwright serve --port ', []],
    ['specwright generate a.yaml --only ', artefactNames],
    ['specwright generate a.yaml --only types,s', ['types,server']],
    [
      'specwright generate a.yaml --only=types,client,',
      artefactNames.slice(2).map(end => `--only=types,client,${end}`),
    ],
    ['specwright completion ', ['bash', 'zsh', 'fish']],
    ['specwright conformance --explain filter-mod', ['filter-model']],
    ['specwright conformance --skip filter-model,filter-mod', []],
    ['specwright conformance "a b" --explain \'filter-mod', ['filter-model']],
    ['specwright seed spec/starter.yaml --rows ', []],
    ['specwright seed spec/starter.yaml --rows 20,', ['20,lists=', '20,lists/tasks=']],
    ['specwright seed spec/starter.yaml --rows 20,lists=3,lists/', ['20,lists=3,lists/tasks=']],
    ['specwright nonsense ', []],
  ])('%j: %j', async (line, expected) => {
    expect(await words(line)).toEqual(expected)
  })

  it.each([
    ['specwright validate ', 'files blank - yaml yml'],
    ['specwright validate a.yaml b.yaml ', 'files blank - yaml yml'],
    ['specwright generate a.yaml ', 'none blank -'],
    ['specwright generate a.yaml --out ', 'folders blank -'],
    ['specwright generate a.yaml --out=src', 'folders blank --out='],
    ['specwright import ', 'files blank - xml json'],
    ['specwright conformance --report ', 'files blank - html xml json sarif txt'],
    ['specwright serve --store sqlite:to', 'files blank sqlite:'],
    ['specwright serve --store=sqlite:to', 'files blank --store=sqlite:'],
    ['specwright serve --store sq', 'none open -'],
    ['specwright serve --data ', 'files blank - yaml yml json jsonl'],
  ])('%j: %s', async (line, expected) => {
    expect((await offered(line))[0]).toBe(expected)
  })

  it('areas and rules, for options that select rules', async () => {
    const found = await words('specwright conformance --only writes,fil')
    expect(found).toEqual(expect.arrayContaining(['writes,filter', 'writes,filter-model']))
    expect(found.filter(word => !word.startsWith('writes,fil'))).toEqual([])
  })

  it('commands with their descriptions', async () => {
    expect((await offered('specwright vali'))[1]).toBe('validate\tcheck a spec')
  })
})

describe('completion knows', () => {
  const commands: readonly Command[] = program.commands

  it.each(commands.map(command => [command.name(), command] as const))(
    'what may stand for each value of %s',
    (_, command) => {
      const valued = [...command.options.filter(({ required }) => required), ...command.registeredArguments]
      expect(valued.filter(each => valueSourceOf(each) === undefined).map(placeholderOf)).toEqual([])
    },
  )

  it('every command and every option', async () => {
    const names = commands.map(command => command.name())
    expect(await words('specwright ')).toEqual([...names, 'help'])
    for (const command of commands) {
      const options = command.options.map(({ long }) => long)
      expect(await words(`specwright ${command.name()} -`)).toEqual([...options, '--help'])
    }
  })
})
