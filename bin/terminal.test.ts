import { Readable, Writable } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { progressText } from './conformance/check-service.js'
import { handleOutputErrors, helpFooter } from './output.js'
import { processTerminal, progressLine, type Stream } from './terminal.js'
import { testTerminal } from './testing/run-command.js'

/** A terminal over streams that record the output of both, in order. */
function over(shape: Pick<Stream, 'isTTY' | 'columns'>, env: Readonly<Record<string, string>> = {}) {
  const written: string[] = []
  const stream = { ...shape, write: (text: string) => written.push(text) }
  const terminal = processTerminal({
    stdout: stream,
    stderr: stream,
    stdin: Readable.from([]),
    env,
    cwd: () => '.',
    once: () => {},
  })
  return { terminal, written }
}

const erase = '\r\x1B[2K'

describe('progress on a terminal', () => {
  it('replaces the previous text, and disappears before other output', () => {
    const { terminal, written } = over({ isTTY: true, columns: 20 })
    terminal.status('one')
    terminal.status('two')
    terminal.out('line')
    terminal.err('line')
    expect(written).toEqual([`${erase}one`, `${erase}two`, erase, 'line\n', 'line\n'])
  })

  it.each([
    [20, 'a'.repeat(19), 'a'.repeat(19)],
    [20, 'a'.repeat(20), `${'a'.repeat(18)}…`],
    [40, 'a'.repeat(99), `${'a'.repeat(38)}…`],
  ])('never reaches the last of %d columns', (columns, text, shown) => {
    const { terminal, written } = over({ isTTY: true, columns })
    terminal.status(text)
    expect(written).toEqual([erase + shown])
  })

  it.each([
    [{ columns: 80 }, {}],
    [{ isTTY: true, columns: 80 }, { TERM: 'dumb' }],
  ])('is not shown if the stream is not a terminal: %j %j', (shape, env) => {
    const { terminal, written } = over(shape, env)
    terminal.status('one')
    terminal.out('line')
    expect(written).toEqual(['line\n'])
  })
})

describe('a message', () => {
  it('is wrapped at blanks on a terminal, and a single line elsewhere', () => {
    const narrow = over({ isTTY: true, columns: 12 })
    narrow.terminal.message('error: not found here')
    expect(narrow.written).toEqual(['error: not\nfound here\n'])
    const piped = over({ columns: 12 })
    piped.terminal.message('error: not found here')
    expect(piped.written).toEqual(['error: not found here\n'])
  })
})

describe('the progress of a command', () => {
  it('appears after half a second, and updates at most every tenth of a second', () => {
    let now = 0
    const shown: string[] = []
    const line = progressLine({
      ...testTerminal('.').terminal,
      now: () => now,
      status: text => void shown.push(`${now}: ${text}`),
    })
    for (now of [0, 400, 500, 550, 600, 699, 700]) line.update(() => 'text')
    line.end()
    expect(shown).toEqual(['500: text', '600: text', '700: text', '700: '])
  })

  it.each([
    [80, 'check      12/2000 requests  3/75 rules  1 failing  about 9 s left'],
    [40, 'check  1 failing  3/75 rules  9 s left'],
  ])('of a conformance run fits %d columns, the most important parts first', (columns, expected) => {
    const reached = {
      phase: 'check',
      rulesExercised: 3,
      rules: 75,
      requests: 12,
      requestLimit: 2000,
      violations: 1,
    } as const
    expect(progressText({ ...reached, elapsed: 1, left: 8.2 }, columns)).toBe(expected)
  })
})

/** Two guarded streams that fail with these codes, and the result. */
async function fail({ out, err }: { readonly out?: string; readonly err?: string }) {
  const written: string[] = []
  const codes: number[] = []
  const failing = (code: string | undefined): Writable =>
    new Writable({
      autoDestroy: false,
      write(chunk, _, done) {
        if (code === undefined) written.push(String(chunk))
        done(code === undefined ? null : Object.assign(new Error(code), { code }))
      },
    })
  const streams = [failing(out), failing(err)] as const
  handleOutputErrors(...streams, code => void codes.push(code))
  if (out !== undefined) streams[0].write('x')
  if (err !== undefined) streams[1].write('x')
  await new Promise(setImmediate)
  return { written, codes }
}

describe('output that cannot be written', () => {
  it.each([{ out: 'EPIPE' }, { err: 'EPIPE' }, { out: 'EPIPE', err: 'EPIPE' }])(
    'because the reader closed changes nothing: %j',
    async streams => {
      expect(await fail(streams)).toEqual({ written: [], codes: [] })
    },
  )

  it('ends the process for any other reason, and is reported if possible', async () => {
    expect(await fail({ out: 'ENOSPC' })).toEqual({
      written: ['error: standard output cannot be written: ENOSPC\n'],
      codes: [2],
    })
    expect(await fail({ err: 'ENOSPC' })).toEqual({ written: [], codes: [2] })
  })
})

const text = {
  examples: [
    ['specwright serve', 'the Directory service'],
    ['specwright serve --store sqlite:todo.db', 'kept in a file'],
    'specwright serve --host 0.0.0.0',
  ] as const,
  notes: ['It prints one line when it is ready.'],
}

describe('the text below the options', () => {
  it('has explanations beside the examples if all fit', () => {
    expect(helpFooter({ columns: 80 }, text)()).toBe(`
Examples:
  specwright serve                         the Directory service
  specwright serve --store sqlite:todo.db  kept in a file
  specwright serve --host 0.0.0.0

It prints one line when it is ready.`)
  })

  it('has explanations below the examples in a narrow terminal, and continues long examples with shell syntax', () => {
    expect(helpFooter({ columns: 34 }, text)()).toBe(`
Examples:
  specwright serve
      the Directory service
  specwright serve --store \\
      sqlite:todo.db
      kept in a file
  specwright serve --host \\
      0.0.0.0

It prints one line when it is
ready.`)
  })
})
