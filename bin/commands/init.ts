import { existsSync } from 'node:fs'
import { readFile, stat, writeFile } from 'node:fs/promises'
import { dirname, join, relative, resolve } from 'node:path'
import { Command } from 'commander'
import { packageManager } from '../../spec/language/index.js'
import {
  type ExitCode,
  exitCode,
  type HelpFooter,
  helpFooter,
  shellQuote,
  UsageError,
  unwritableFileError,
} from '../output.js'
import { packageRoot } from '../package-root.js'
import type { Terminal } from '../terminal.js'

const help: HelpFooter = {
  examples: [
    ['specwright init', 'writes spec.yaml'],
    ['specwright init api/orders.yaml', 'writes that file in an existing folder'],
  ],
}

/** `specwright init [FILE]`: a commented spec to start from; never overwrites. */
export function initCommand(terminal: Terminal, setExitCode: (code: ExitCode) => void): Command {
  return new Command('init')
    .summary('write a commented spec to start from')
    .description('Writes a small, complete spec with comments. Never overwrites a file.')
    .argument('[file]', 'the file to write', 'spec.yaml')
    .addHelpText('after', helpFooter(terminal, help))
    .action(async (file: string) => setExitCode(await init(terminal, file)))
}

async function init(terminal: Terminal, file: string): Promise<ExitCode> {
  if (/[\\/]$/.test(file) || (await isFolder(resolve(terminal.cwd, file)))) {
    throw new UsageError(`${file} is a folder. Name the file in it: ${file.replace(/[\\/]$/, '')}/spec.yaml`)
  }
  if (/\.json$/i.test(file)) {
    const name = file.replace(/json$/i, 'yaml')
    throw new UsageError(`${file} would contain YAML with comments, which is not JSON. Name a YAML file: ${name}`)
  }
  const specwright = programCommands[packageManager()]
  const starter = await readFile(join(packageRoot(), 'spec', 'starter.yaml'), 'utf8')
  try {
    await writeFile(
      resolve(terminal.cwd, file),
      starter
        .replaceAll('npx specwright', specwright)
        .replaceAll('spec.yaml', () => shellQuote(file))
        .replace(schemaComment, () => schemaFor(terminal.cwd, file, specwright)),
      { flag: 'wx' },
    )
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if (code === 'EEXIST') throw new UsageError(`${file} already exists and was not changed. Name another file.`)
    throw unwritableFileError(file, error) ?? error
  }
  terminal.out(`Wrote ${file}.`)
  terminal.out('Next:')
  terminal.out(`  ${specwright} validate ${shellQuote(file)}`)
  terminal.out(`  ${specwright} generate ${shellQuote(file)} --out generated`)
  return exitCode.done
}

/** How each package manager runs this program. */
const programCommands = {
  npm: 'npx specwright',
  pnpm: 'pnpm exec specwright',
  yarn: 'yarn specwright',
  bun: 'bunx specwright',
} as const

/** The JSON Schema in a project where this package is installed. */
const schemaFile = './node_modules/specwright/spec/specwright.schema.json'
const schemaComment = `yaml-language-server: $schema=${schemaFile}`

/**
 * The comment that leads an editor to the JSON Schema: its path from the folder of the spec, because editors take it for
 * relative to the spec. With Yarn's Plug'n'Play the schema is in an archive, and a command writes one.
 */
function schemaFor(cwd: string, file: string, specwright: string): string {
  const from = dirname(resolve(cwd, file))
  const folders = [from]
  for (let folder = dirname(from); !folders.includes(folder); folder = dirname(folder)) folders.push(folder)
  const found = folders.find(folder => existsSync(join(folder, schemaFile)))
  if (found === undefined && folders.some(folder => existsSync(join(folder, '.pnp.cjs')))) {
    const schema = shellQuote(file.replace(/(?:\.ya?ml)?$/, '.schema.json'))
    return `Completion in an editor: ${specwright} schema ${shellQuote(file)} --out ${schema}`
  }
  const path = relative(from, join(found ?? cwd, schemaFile)).replaceAll('\\', '/')
  return schemaComment.replace(schemaFile, () => (path.startsWith('.') ? path : `./${path}`))
}

function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    found => found.isDirectory(),
    // A missing path is not a folder. Writing the file reports any other problem.
    () => false,
  )
}
