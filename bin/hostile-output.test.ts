import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { errorLine, serverErrorLine } from '../reference/index.js'
import { openJournalFile } from './conformance/journal.js'
import { bugReport, jsonText } from './output.js'
import { run } from './run.js'
import { processTerminal } from './terminal.js'
import { filesIn, notesSpec } from './testing/run-command.js'
import { temporaryFolders } from './testing/temporary-folder.js'

const folder = temporaryFolders()

/** What no terminal, log or report may receive. Line feeds, tabs and the joiner of emoji are harmless. */
const hidden = /(?![\n\t\u200d])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u

/** The styles of the program itself. */
const styles = /\x1b\[(?:0|1|2|3\d|1;3\d)m|\r\x1b\[2K/g

const hostile = fc
  .array(
    fc.oneof(
      fc.constantFrom('\x1b[2J', '\x1b]0;x\x07', '\x9b31m', '\u202e', '\u2066', '\u2028', '\r', '\ud800', '\u{e0041}'),
      fc.constantFrom('\x1b[31m', '\x00', '\x7f', '\x85', '\u061c', '\ufeff', 'x', ' ', '"', '\n'),
    ),
    { minLength: 1, maxLength: 6 },
  )
  .map(parts => parts.join(''))

/** Runs a command line on a terminal or on pipes, and returns all that was written to them. */
async function written(cwd: string, isTty: boolean, args: readonly string[], input = ''): Promise<string> {
  const chunks: string[] = []
  const stream = { isTTY: isTty, columns: 80, write: (text: string) => void chunks.push(text) }
  const terminal = processTerminal({
    stdout: stream,
    stderr: stream,
    stdin: Readable.from([Buffer.from(input)]),
    env: {},
    cwd: () => cwd,
    once: () => {},
  })
  await run(args, terminal, '1.2.3')
  return chunks.join('')
}

/** A text as a value in YAML, with escapes. */
const inYaml = (text: string): string =>
  `"${[...text].map(character => `\\U${(character.codePointAt(0) ?? 0).toString(16).padStart(8, '0')}`).join('')}"`

const specWith = (text: string): string =>
  notesSpec
    .replace('text: { type: String }', `text: { type: ${inYaml(text)}, ${inYaml(text)}: 1 }, ${inYaml(text)}: 2`)
    .replace('errors: {}', `errors: {}\n${inYaml(text)}: ${inYaml(text)}`)

const metadataWith = (text: string): string =>
  `<edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices>
  <Schema Namespace="a" xmlns="http://docs.oasis-open.org/odata/ns/edm">
  <EntityType Name="${text.replaceAll(/[<>&"]/g, '')}"><Property Name="b" Type="Edm.${text.replaceAll(/[<>&"]/g, '')}"/></EntityType>
  </Schema></edmx:DataServices></edmx:Edmx>`

/** What is the same in all commands, on terminals and on pipes. */
const commands: Readonly<Record<string, (text: string) => { readonly args: string[]; readonly input?: string }>> = {
  'validate, pretty': () => ({ args: ['validate', 'spec.yaml', '--format', 'pretty'] }),
  'validate, plain': () => ({ args: ['validate', 'spec.yaml', '--format', 'plain'] }),
  'validate, JSON': () => ({ args: ['validate', 'spec.yaml', '--json'] }),
  'validate, GitHub': () => ({ args: ['validate', 'spec.yaml', '--format', 'github'] }),
  generate: () => ({ args: ['generate', 'spec.yaml', '--out', 'out'] }),
  'generate with a runtime': text => ({ args: ['generate', 'sound.yaml', '--out', 'out', '--runtime', text] }),
  export: () => ({ args: ['export', 'spec.yaml', '--format', 'openapi'] }),
  seed: () => ({ args: ['seed', 'spec.yaml', '--rows', '2'] }),
  import: text => ({ args: ['import', '-'], input: metadataWith(text) }),
  'import as JSON': text => ({ args: ['import', '-', '--json', '--out', 'x.yaml'], input: metadataWith(text) }),
  'a file that is missing': text => ({ args: ['validate', text] }),
  'an unknown command': text => ({ args: [text] }),
  'an unknown option': text => ({ args: ['serve', `--${text}`] }),
  'an unknown limit': text => ({ args: ['serve', '--limit', text] }),
  'a list of known failures': () => ({
    args: ['conformance', 'http://127.0.0.1:9', '--spec', 'sound.yaml', '--known-failures', 'spec.yaml'],
  }),
}

describe('no text from elsewhere controls a terminal', () => {
  it.each(Object.entries(commands))('%s', async (_, command) => {
    const cwd = folder()
    writeFileSync(join(cwd, 'sound.yaml'), notesSpec)
    await fc.assert(
      fc.asyncProperty(hostile, fc.boolean(), async (text, isTty) => {
        writeFileSync(join(cwd, 'spec.yaml'), specWith(text))
        const { args, input } = command(text)
        const shown = await written(cwd, isTty, args, input)
        expect(shown.length).toBeGreaterThan(0)
        expect(shown.replaceAll(styles, '')).not.toMatch(hidden)
      }),
      { numRuns: 15 },
    )
  })
})

describe('a terminal', () => {
  const over = (isTty: boolean) => {
    const chunks: string[] = []
    const stream = { isTTY: isTty, columns: 80, write: (text: string) => void chunks.push(text) }
    const host = { stdout: stream, stderr: stream, stdin: Readable.from([]), env: {}, cwd: () => '.', once: () => {} }
    return { terminal: processTerminal(host), text: () => chunks.join('') }
  }

  it('never receives a hidden character, whatever is written', () => {
    fc.assert(
      fc.property(fc.oneof(hostile, fc.string({ unit: 'binary' })), fc.boolean(), (text, isTty) => {
        const { terminal, text: shown } = over(isTty)
        for (const write of [terminal.out, terminal.err, terminal.message, terminal.status]) write(text)
        if (isTty) terminal.document(text)
        expect(shown().replaceAll(styles, '')).not.toMatch(hidden)
      }),
    )
  })

  it('keeps its styles, only if it has colours, and no other command', () => {
    const { terminal, text } = over(true)
    terminal.out('\x1b[1;31mred\x1b[0m \x1b[5mblink')
    expect(text()).toBe('\x1b[1;31mred\x1b[0m \\u001B[5mblink\n')
    const piped = over(false)
    piped.terminal.out('\x1b[31mred')
    expect(piped.text()).toBe('\\u001B[31mred\n')
  })

  it('passes documents on to a pipe byte by byte', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), document => {
        const { terminal, text } = over(false)
        terminal.document(document)
        expect(text()).toBe(document)
      }),
    )
  })
})

describe('logs and files', () => {
  const head = { method: 'GET', url: 'http://h/v1/a', headers: new Headers(), signal: new AbortController().signal }

  it('of serve have one line for an error in JSON, and else only lines that are indented', () => {
    fc.assert(
      fc.property(hostile, text => {
        const error = Object.assign(new Error(text), { stack: text })
        expect(errorLine('json', new Date(0), head, error)).not.toContain('\n')
        const [first, ...more] = errorLine('pretty', new Date(0), head, error).split('\n')
        expect(first).toBe('00:00:00.000 GET    error /v1/a')
        expect(more.every(line => line.startsWith('    '))).toBe(true)
        expect(serverErrorLine('json', new Date(0), text)).not.toContain('\n')
      }),
    )
  })

  it('of a bug are visible', () => {
    fc.assert(
      fc.property(hostile, text => {
        expect(bugReport(Object.assign(new Error(text), { stack: text }), '1')).not.toMatch(hidden)
      }),
    )
  })

  it('in JSON have the same values, with hidden characters as escapes', () => {
    fc.assert(
      fc.property(fc.oneof(hostile, fc.string({ unit: 'binary' })), text => {
        const shown = jsonText({ [text]: [text] })
        expect(shown).not.toMatch(hidden)
        expect(JSON.parse(shown)).toEqual({ [text]: [text] })
      }),
    )
  })

  it('of a conformance run list created items with visible characters', async () => {
    const { readFileSync } = await import('node:fs')
    const cwd = folder()
    const journal = openJournalFile(join(cwd, 'j'), 'j', { url: 'http://h\u202e', spec: '\x9b' })
    journal.creating({ number: 1, path: '/a\u2066', mark: '\u202e' })
    expect(filesIn(cwd)).toEqual(['j'])
    expect(readFileSync(join(cwd, 'j'), 'utf8')).not.toMatch(hidden)
    journal.close()
  })
})
