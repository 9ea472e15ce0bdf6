import { execFile, spawn } from 'node:child_process'
import { chmod, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { root } from '../root.js'

/** A folder in which a page's commands run, with the built package installed. */
export interface Shell {
  /** Runs a block of commands; ends with the first that fails. */
  run(commands: string): Promise<{ readonly exit: number; readonly printed: string }>
  /** Runs one command until it says that it listens, then asks it to stop. */
  serve(command: string): Promise<{ readonly exit: number; readonly printed: string }>
  write(path: string, text: string): Promise<void>
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
  const commands = { npx: npx(), npm: npm(await scripts()) }
  for (const [name, text] of Object.entries(commands)) {
    await writeFile(join(bin, name), text)
    await chmod(join(bin, name), 0o755)
  }
  const env = { ...process.env, PATH: `${bin}${delimiter}${process.env['PATH']}`, NO_COLOR: '1' }
  return {
    write,
    remove: () => rm(home, { recursive: true, force: true }),
    serve: command =>
      new Promise((resolve, reject) => {
        let printed = ''
        const child = spawn('sh', ['-c', `exec ${command}`], { cwd: folder, env })
        child.stdout.on('data', chunk => {
          printed += String(chunk)
          if (/listening"?[ :]"?http:\/\//.test(printed)) child.kill('SIGTERM')
        })
        child.stderr.on('data', chunk => {
          printed += String(chunk)
        })
        child.on('error', reject)
        child.on('close', code => resolve({ exit: code ?? 1, printed }))
      }),
    run: text =>
      new Promise(resolve => {
        const script = `exec 2>&1\nset -e\n${text}\n`
        execFile('sh', ['-c', script], { cwd: folder, env }, (error, stdout) =>
          resolve({ exit: error === null ? 0 : Number(error.code ?? 1), printed: stdout }),
        )
      }),
  }
}

/** Runs the command that was built, as npx would after an install. */
const npx = (): string => `#!/bin/sh
[ "$1" = specwright ] || { echo "npx $1 is no command of this package"; exit 127; }
shift
exec "${process.execPath}" "${join(root, 'dist', 'bin', 'specwright.js')}" "$@"
`

/** Knows which scripts there are, and runs none: they build, test and install. */
const npm = (names: readonly string[]): string => `#!/bin/sh
case "$1" in
ci | install) exit 0 ;;
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
