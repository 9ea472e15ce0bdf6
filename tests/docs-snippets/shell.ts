import { execFile, spawn } from 'node:child_process'
import { chmod, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { root } from '../root.js'

/** How commands ended, and what they printed on both streams. */
export interface Ended {
  readonly exit: number
  readonly printed: string
}

/** A folder in which a page's commands run, with the built package installed. */
export interface Shell {
  /** Runs a block of commands; ends with the first that fails. */
  run(commands: string): Promise<Ended>
  /** Runs one command until it says that it listens, then asks it to stop. */
  serve(command: string): Promise<Ended>
  /** Starts one command that serves, in place of the one before; tells what it printed if it ends. */
  serveOn(command: string): Promise<string | undefined>
  write(path: string, text: string): Promise<void>
  read(path: string): Promise<string>
  remove(): Promise<void>
}

/** Opens an empty folder with what `npm install specwright` puts into it. */
export async function openShell(): Promise<Shell> {
  const home = await mkdtemp(join(tmpdir(), 'specwright-shell-'))
  const folder = join(home, 'project')
  const bin = join(home, 'bin')
  const write = async (path: string, text: string): Promise<void> => {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await writeFile(join(folder, path), text)
  }
  await mkdir(join(folder, 'node_modules'), { recursive: true })
  await mkdir(bin)
  await symlink(root, join(folder, 'node_modules', 'specwright'))
  await symlink(join(root, 'node_modules', '@types'), join(folder, 'node_modules', '@types'))
  const commands = { npx: npx(), npm: npm(await scripts(), process.env['PATH'] ?? '') }
  for (const [name, text] of Object.entries(commands)) {
    await writeFile(join(bin, name), text)
    await chmod(join(bin, name), 0o755)
  }
  const env = { ...process.env, PATH: `${bin}${delimiter}${process.env['PATH']}`, NO_COLOR: '1' }
  /** Calls back once a command listens, and gives how it ends. */
  const serving = (command: string, listens: (stop: () => void) => void): Promise<Ended> =>
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

/** Runs the command that was built, or the compiler, as npx would after an install. */
const npx = (): string => `#!/bin/sh
command="$1"
shift
case "$command" in
specwright) exec "${process.execPath}" "${join(root, 'dist', 'cli', 'specwright.js')}" "$@" ;;
tsc) exec "${join(root, 'node_modules', '.bin', 'tsc')}" "$@" ;;
esac
echo "npx $command is no command of this package"
exit 127
`

/** Begins a package; knows which scripts there are, and runs none: they build, test and install. */
const npm = (names: readonly string[], path: string): string => `#!/bin/sh
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

async function scripts(): Promise<readonly string[]> {
  const manifest: unknown = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))
  if (typeof manifest !== 'object' || manifest === null || !('scripts' in manifest)) return []
  return Object.keys(Object(manifest.scripts))
}
