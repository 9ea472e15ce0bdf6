import { execFile, spawn } from 'node:child_process'
import { chmod, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { root } from '../root.js'
import { type CodeBlock, checkKindOf } from './page.js'

/** What a block says, and what happened: an exit code, a text. */
interface Comparison {
  readonly expected: string
  readonly actual: string
}

/** Replaces times, free ports and tokens, which differ from run to run. */
const withoutVaryingParts = (printed: string): string =>
  printed
    .trimEnd()
    .replace(/\(\d+ ms\)/g, '(… ms)')
    .replace(/"milliseconds": \d+/g, '"milliseconds": …')
    .replace(/127\.0\.0\.1:\d+/g, '127.0.0.1:…')
    .replace(/\beyJ[\w.-]+…?/g, 'eyJ…')

/** The port that pages name for a service that keeps running. */
const documentedPort = '8080'

/** Runs the commands of a page, block by block, in one folder with the files of the page. */
export async function runCommands(fences: readonly CodeBlock[]): Promise<readonly Comparison[]> {
  const results: Comparison[] = []
  const hold = (place: string, expected: string, found: string): void =>
    void results.push({ expected: `${place} ${expected}`, actual: `${place} ${found}` })
  const shell = await openShell()
  const staysUp = fences.some(fence => checkKindOf(fence).kind === 'serves on')
  const port = staysUp ? String(await freePort()) : documentedPort
  const ours = (text: string): string => text.replaceAll(documentedPort, port)
  const theirs = (text: string): string => text.replaceAll(port, documentedPort)
  let last = ''
  try {
    for (const fence of fences) {
      const kind = checkKindOf(fence)
      const place = `${fence.page}:${fence.line}`
      const text = ours(fence.text)
      switch (kind.kind) {
        case 'file':
          if (fence.language === 'yaml') await shell.write(kind.path, `${text}\n`)
          break
        case 'writes':
          await shell.write(kind.path, `${text}\n`)
          break
        case 'changes':
          await shell.write(kind.path, applyChange(await shell.read(kind.path), text))
          break
        case 'commands': {
          const { exit, printed } = await shell.run(text)
          hold(place, `exits ${kind.exit}`, `exits ${exit}${exit === kind.exit ? '' : `\n${printed}`}`)
          last = theirs(printed)
          break
        }
        case 'serves': {
          const { exit, printed } = await shell.serve(fence.text)
          hold(place, 'listens, then ends', exit === 0 ? 'listens, then ends' : `exits ${exit}\n${printed}`)
          last = printed
          break
        }
        case 'serves on': {
          const failure = await shell.serveOn(text)
          hold(place, 'listens', failure ?? 'listens')
          break
        }
        case 'output': {
          const [expected, found] = [withoutVaryingParts(fence.text), withoutVaryingParts(last)]
          hold(place, expected, kind.elided && matchesElided(expected, found) ? expected : found)
          break
        }
        default:
          break
      }
    }
  } finally {
    await shell.remove()
  }
  return results
}

/** The exit code of commands, and what they printed to both streams. */
interface CommandResult {
  readonly exit: number
  readonly printed: string
}

/** A folder for the commands of a page, with the built package installed. */
interface Shell {
  /** Runs commands until the first one fails. */
  run(commands: string): Promise<CommandResult>
  /** Runs a command until it listens, then stops it. */
  serve(command: string): Promise<CommandResult>
  /** Starts a command that serves, and stops the previous one. Returns its output if it ends instead. */
  serveOn(command: string): Promise<string | undefined>
  write(path: string, text: string): Promise<void>
  read(path: string): Promise<string>
  remove(): Promise<void>
}

/** Creates a folder with the packages that `npm install specwright` installs. */
async function openShell(): Promise<Shell> {
  const home = await mkdtemp(join(tmpdir(), 'specwright-shell-'))
  const folder = join(home, 'project')
  const bin = join(home, 'bin')
  const write = async (path: string, text: string): Promise<void> => {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await writeFile(join(folder, path), text)
  }
  await mkdir(join(folder, 'node_modules'), { recursive: true })
  await symlink(root, join(folder, 'node_modules', 'specwright'))
  await symlink(join(root, 'node_modules', '@types'), join(folder, 'node_modules', '@types'))
  await writePackageCommands(bin)
  const env = { ...process.env, PATH: `${bin}${delimiter}${process.env['PATH']}`, NO_COLOR: '1' }
  /** Calls back once a command listens, and resolves when it has ended. */
  const serving = (command: string, listens: (stop: () => void) => void): Promise<CommandResult> =>
    new Promise((resolve, reject) => {
      let printed = ''
      const child = spawn('sh', ['-c', `exec ${command}`], { cwd: folder, env })
      child.stdout.on('data', chunk => {
        printed += String(chunk)
        if (/listening"?[ :]"?http:\/\//.test(printed)) listens(() => void child.kill('SIGTERM'))
      })
      child.stderr.on('data', chunk => {
        printed += String(chunk)
      })
      child.on('error', reject)
      child.on('close', code => resolve({ exit: code ?? 1, printed }))
    })
  let stopServing = async (): Promise<void> => {}
  return {
    write,
    read: path => readFile(join(folder, path), 'utf8'),
    remove: async () => {
      await stopServing()
      await rm(home, { recursive: true, force: true })
    },
    serve: command => serving(command, stop => stop()),
    serveOn: async command => {
      await stopServing()
      let listens = (_: () => void): void => {}
      const listening = new Promise<() => void>(resolve => {
        listens = resolve
      })
      const ended = serving(command, stop => listens(stop))
      const stop = await Promise.race([listening, ended])
      if (typeof stop !== 'function') return `ends with ${stop.exit}\n${stop.printed}`
      stopServing = async () => {
        stop()
        await ended
      }
      return undefined
    },
    run: text =>
      new Promise(resolve => {
        const script = `exec 2>&1\nset -e\n${text}\n`
        execFile('sh', ['-c', script], { cwd: folder, env }, (error, stdout) =>
          resolve({ exit: error === null ? 0 : Number(error.code ?? 1), printed: stdout }),
        )
      }),
  }
}

/** Writes replacements for `npx` and `npm` to a new folder: `npx specwright` runs the built command, and npm installs nothing. */
export async function writePackageCommands(folder: string): Promise<void> {
  await mkdir(folder)
  const commands = { npx: npxScript(), npm: npmScript(await packageScripts(), process.env['PATH'] ?? '') }
  for (const [name, text] of Object.entries(commands)) {
    await writeFile(join(folder, name), text)
    await chmod(join(folder, name), 0o755)
  }
}

/** A replacement for npx, which runs the built command or the compiler. */
const npxScript = (): string => `#!/bin/sh
command="$1"
shift
case "$command" in
specwright) exec "${process.execPath}" "${join(root, 'dist', 'cli', 'specwright.js')}" "$@" ;;
tsc) exec "${join(root, 'node_modules', '.bin', 'tsc')}" "$@" ;;
esac
echo "npx $command is no command of this package"
exit 127
`

/** A replacement for npm, which creates a package.json but runs no scripts: they would build, test and install. */
const npmScript = (names: readonly string[], path: string): string => `#!/bin/sh
case "$1" in
ci | install) exit 0 ;;
init | pkg) PATH="${path}" exec npm "$@" >&2 ;;
run) shift ;;
esac
case "$1" in
${names.join(' | ')}) exit 0 ;;
esac
echo "there is no script $1 in package.json"
exit 1
`

/** The names of the scripts in package.json. */
export async function packageScripts(): Promise<readonly string[]> {
  const manifest: unknown = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))
  if (typeof manifest !== 'object' || manifest === null || !('scripts' in manifest)) return []
  return Object.keys(Object(manifest.scripts))
}

/** Whether a text matches what a page shows: `…` is any text within a line, and on its own line any lines. */
export function matchesElided(shown: string, printed: string): boolean {
  const lines = shown.split('\n').map(line => (line === '…' ? '(?:.*\\n)*?' : `${patternOf(line)}\\n`))
  return new RegExp(`^${lines.join('')}$`).test(`${printed}\n`)
}

const patternOf = (line: string): string => line.split('…').map(escapeRegExp).join('.*')

const escapeRegExp = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

/**
 * Applies a diff block to a file: lines that start with a space are context, `-` removes a line, `+` adds one.
 *
 * @throws {Error} if the context does not occur exactly once
 */
export function applyChange(text: string, change: string): string {
  const lines = change.split('\n')
  const linesOf = (marks: string): string =>
    lines
      .filter(line => marks.includes(line[0] ?? ' '))
      .map(line => `${line.slice(1)}\n`)
      .join('')
  const before = linesOf(' -')
  const places = text.split(before).length - 1
  if (places !== 1) throw new Error(`The file has these lines ${places} times:\n${before}`)
  return text.replace(before, () => linesOf(' +'))
}

/** Finds a free port. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.on('error', reject)
    server.listen(0, () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0))
    })
  })
}
