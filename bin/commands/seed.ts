import { closeSync, existsSync, openSync, renameSync, rmSync, writeSync } from 'node:fs'
import { resolve } from 'node:path'
import { Command } from 'commander'
import {
  diagnosticsToJson,
  type ExitCode,
  exitCode,
  type HelpFooter,
  hasErrors,
  helpFooter,
  jsonOption,
  UsageError,
  unwritableFileError,
  writeDiagnostics,
  writeJson,
} from '../output.js'
import { loadSpec } from '../project.js'
import { progressLine, type Terminal } from '../terminal.js'

const help: HelpFooter = {
  examples: [
    'specwright seed service.yaml --rows 1000 --seed 1 > service.data.jsonl',
    'specwright seed directory.yaml --rows 100000,groups=1000,users/messages=10 --seed 1 --out large.jsonl',
    'specwright serve directory.yaml --data large.jsonl --store sqlite:large.db',
  ],
  notes: [
    '--rows sets the number of items in each entity set. NAME=N is an exception. SET/RELATION=N sets how many each owner contains.',
    'The same spec, rows and seed always create the same data.',
  ],
}

interface Options {
  readonly rows: string
  readonly seed: string
  readonly out?: string
  readonly json?: true
}

/** `specwright seed SPEC --rows N --seed S`: creates data of any size from the model. */
export function seedCommand(terminal: Terminal, setExitCode: (code: ExitCode) => void): Command {
  return new Command('seed')
    .summary('create data for a described service')
    .description('Creates data for a spec, as lines of JSON that serve --data loads.')
    .argument('<spec>', 'a YAML file')
    .requiredOption('--rows <numbers>', 'number of items in each entity set')
    .option('--seed <text>', 'seed of the random data', '1')
    .option('--out <file>', 'output file, ending in .jsonl (default: standard output)')
    .addOption(jsonOption('the result'))
    .addHelpText('after', helpFooter(terminal, help))
    .action(async (spec: string, options: Options) => setExitCode(await seed(terminal, spec, options)))
}

async function seed(terminal: Terminal, spec: string, options: Options): Promise<ExitCode> {
  const { seed: text, out, json } = options
  if (json && out === undefined) {
    throw new UsageError('--json prints the result on standard output. Add --out FILE.jsonl for the data itself.')
  }
  // Loaded here, because other commands do not need the reference service.
  const { parseRowCounts, SeedError, seededSets, seedLines } = await import('../../reference/index.js')
  const rows = parseRowCounts(options.rows)
  if (typeof rows === 'string') {
    throw new UsageError(`option '--rows <numbers>' argument '${options.rows}' is invalid. ${rows}`)
  }
  const start = terminal.now()
  const { service, source, diagnostics } = await loadSpec(terminal, spec)
  if (!json) writeDiagnostics(terminal, 'err', undefined, diagnostics, [source])
  if (service === undefined || hasErrors(diagnostics)) {
    if (json) writeJson(terminal, { file: null, diagnostics: diagnosticsToJson(diagnostics) })
    return exitCode.specErrors
  }
  const made = new Map<string, number>()
  try {
    const total = seededSets(service, rows).reduce((sum, { count }) => sum + count, 0)
    const progress = progressLine(terminal)
    const lines = counted(seedLines(service, { rows, seed: text }), made, (count, name) =>
      progress.update(
        () => `${count.toLocaleString('en')} of ${total.toLocaleString('en')} items created, now ${name}`,
      ),
    )
    if (out === undefined) writePieces(lines, piece => terminal.document(`${piece}\n`))
    else writeFile(terminal, out, lines)
    progress.end()
    if (json) {
      const milliseconds = Math.round(terminal.now() - start)
      writeJson(terminal, { file: out, items: Object.fromEntries(made), diagnostics: [], milliseconds })
    }
    return exitCode.done
  } catch (error) {
    if (error instanceof SeedError) throw new UsageError(error.message)
    throw error
  }
}

/** Counts lines by the set or singleton that each line begins with. */
function* counted(
  lines: Iterable<string>,
  made: Map<string, number>,
  onLine: (count: number, name: string) => void,
): Iterable<string> {
  let count = 0
  for (const line of lines) {
    const name = line.slice(2, line.indexOf('"', 2))
    made.set(name, (made.get(name) ?? 0) + 1)
    count++
    onLine(count, name)
    yield line
  }
}

/** The number of characters to write at once. */
const pieceLength = 65_536

function writePieces(lines: Iterable<string>, write: (piece: string) => void): void {
  let piece: string[] = []
  let length = 0
  for (const line of lines) {
    piece.push(line)
    length += line.length
    if (length < pieceLength) continue
    write(piece.join('\n'))
    piece = []
    length = 0
  }
  if (piece.length > 0) write(piece.join('\n'))
}

function writeFile(terminal: Terminal, out: string, lines: Iterable<string>): void {
  if (!/\.(?:jsonl|ndjson)$/i.test(out)) {
    throw new UsageError(`"${out}" must end with .jsonl, so that serve recognizes the format.`)
  }
  const path = resolve(terminal.cwd, out)
  // A seed that fails leaves no file, and an earlier one stays.
  const unfinished = `${path}.unfinished`
  try {
    const file = openSync(unfinished, 'w')
    try {
      writePieces(lines, piece => void writeSync(file, `${piece}\n`))
    } finally {
      closeSync(file)
    }
    renameSync(unfinished, path)
  } catch (error) {
    if (existsSync(unfinished)) rmSync(unfinished)
    throw unwritableFileError(out, error) ?? error
  }
}
