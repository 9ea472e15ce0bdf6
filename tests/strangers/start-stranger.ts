import { type ChildProcessByStdio, execFileSync, spawn } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import type { Readable } from 'node:stream'
import { buildSync } from 'esbuild'

/** A choice of a stranger that the interface leaves open, with its legal values. */
interface StrangerChoice {
  readonly name: string
  readonly values: readonly (string | number | boolean)[]
  readonly default: string | number | boolean
  readonly meaning: string
}

/** A fault that can be switched on in a stranger. */
interface StrangerFault {
  readonly name: string
  readonly area: string
  readonly meaning: string
}

/** What a stranger says about itself with `--describe`. */
interface StrangerDescription {
  readonly language: string
  readonly store: string
  readonly choices: readonly StrangerChoice[]
  readonly faults: readonly StrangerFault[]
}

/** An independent implementation of the interface, ready to start. */
export interface Stranger {
  readonly name: string
  readonly description: StrangerDescription
  readonly command: readonly [string, ...string[]]
}

interface RunningStranger {
  /** Without the version segment. */
  readonly url: string
  /** Ends the process and waits until it has ended. */
  readonly stop: () => Promise<void>
}

export interface StrangerSettings {
  readonly choices?: Readonly<Record<string, string | number | boolean>>
  readonly fault?: string
}

/** The credential that the strangers accept. */
export const strangerToken = 'stranger-token'

/** How to build and run the programs of one language. */
interface Toolchain {
  /** The file by which the language is recognized. */
  readonly entry: string
  /** The first program that works with these arguments is used. */
  readonly programs: readonly string[]
  readonly probe: readonly string[]
  /** What to install: Debian packages. */
  readonly install: string
  /** @returns the command that starts the program */
  readonly build: (folder: string, output: string, program: string) => readonly [string, ...string[]]
}

const buildTypeScript: Toolchain['build'] = (folder, output, program) => {
  // Below the packages, so that Node.js finds them.
  const packages = dirname(dirname(createRequire(import.meta.url).resolve('esbuild/package.json')))
  const file = join(packages, '.cache/specwright/strangers', basename(output), 'server.mjs')
  buildSync({
    entryPoints: [join(folder, 'server.ts')],
    outfile: file,
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
  })
  return [program, file]
}

const toolchains: readonly Toolchain[] = [
  {
    entry: 'store.ts',
    programs: [process.execPath],
    // The package is there, but not for every Node.js.
    probe: ['--input-type=module', '--eval', "new (await import('better-sqlite3')).default(':memory:')"],
    install: 'better-sqlite3, with npm run sqlite',
    build: buildTypeScript,
  },
  {
    entry: 'server.ts',
    programs: [process.execPath],
    probe: ['--version'],
    install: 'nodejs',
    build: buildTypeScript,
  },
  {
    entry: 'server.py',
    programs: ['/usr/bin/python3', 'python3'],
    probe: ['-c', 'import sqlite3, sqlalchemy'],
    install: 'python3 python3-sqlalchemy',
    build: (folder, _output, program) => [program, '-B', join(folder, 'server.py')],
  },
  {
    entry: 'go.mod',
    programs: ['go'],
    probe: ['version'],
    install: 'golang-go',
    build: (folder, output, program) => {
      const file = join(output, 'server')
      const env = { ...process.env, GOFLAGS: '-buildvcs=false', GOCACHE: join(output, 'cache'), GO111MODULE: 'on' }
      execFileSync(program, ['build', '-o', file, '.'], { cwd: folder, env, stdio: ['ignore', 'ignore', 'pipe'] })
      return [file]
    },
  },
  {
    entry: 'Server.java',
    programs: ['javac'],
    probe: ['-version'],
    install: 'default-jdk-headless',
    build: (folder, output, program) => {
      const sources = readdirSync(folder).filter(name => name.endsWith('.java'))
      const paths = sources.map(name => join(folder, name))
      execFileSync(program, ['-encoding', 'UTF-8', '-nowarn', '-d', output, ...paths], {
        stdio: ['ignore', 'ignore', 'pipe'],
      })
      const flags = ['-XX:TieredStopAtLevel=1', '-XX:+UseSerialGC', '-Dsun.net.httpserver.nodelay=true']
      return ['java', ...flags, '-cp', output, 'Server']
    },
  },
  {
    entry: 'server.rb',
    programs: ['ruby'],
    probe: ['-rjson', '-rsocket', '-e', 'exit'],
    install: 'ruby',
    build: (folder, _output, program) => [program, join(folder, 'server.rb')],
  },
  {
    entry: 'server.pl',
    programs: ['perl'],
    probe: ['-MJSON::PP', '-MIO::Socket::INET', '-e', 'exit'],
    install: 'perl',
    build: (folder, _output, program) => [program, join(folder, 'server.pl')],
  },
  {
    entry: 'server.lua',
    programs: ['lua5.4', 'lua'],
    probe: ['-e', "require 'socket'"],
    install: 'lua5.4 lua-socket',
    build: (folder, _output, program) => [program, join(folder, 'server.lua')],
  },
  {
    entry: 'server.php',
    programs: ['php'],
    probe: ['-r', 'exit(extension_loaded("pdo_sqlite") && extension_loaded("mbstring") ? 0 : 1);'],
    install: 'php-cli php-sqlite3 php-mbstring',
    build: (folder, _output, program) => [program, join(folder, 'server.php')],
  },
]

export function strangerNames(folder: string): readonly string[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter(entry => entry.isDirectory() && toolchainOf(join(folder, entry.name)) !== undefined)
    .map(({ name }) => name)
    .sort()
}

function toolchainOf(folder: string): Toolchain | undefined {
  return toolchains.find(({ entry }) => existsSync(join(folder, entry)))
}

/**
 * Builds a stranger.
 *
 * @param folder the folder of the stranger
 * @param cache where to put what the build makes
 * @returns a message if its language is not installed
 * @throws {Error} if the build fails
 */
export function buildStranger(folder: string, cache: string): Stranger | string {
  const name = basename(folder)
  const toolchain = toolchainOf(folder)
  if (toolchain === undefined) throw new Error(`${folder} has no program in a known language`)
  const { programs, probe, install } = toolchain
  const program = programs.find(candidate => isRunnable(candidate, probe))
  if (program === undefined) return `${name} is skipped: install ${install}`
  const output = join(cache, name)
  mkdirSync(output, { recursive: true })
  const command = toolchain.build(folder, output, program)
  const [file, ...args] = command
  const text = execFileSync(file, [...args, '--describe'], { encoding: 'utf8' })
  const description: StrangerDescription = JSON.parse(text)
  return { name, description, command }
}

function isRunnable(program: string, args: readonly string[]): boolean {
  try {
    execFileSync(program, args, { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

/**
 * Starts a stranger on a free port of the loopback interface.
 *
 * @throws {Error} if the process ends before it listens
 */
export async function startStranger(
  { name, command: [file, ...args] }: Stranger,
  { choices = {}, fault }: StrangerSettings = {},
): Promise<RunningStranger> {
  const env = {
    ...process.env,
    PORT: '0',
    TOKEN: strangerToken,
    CHOICES: JSON.stringify(choices),
    ...(fault === undefined ? {} : { FAULT: fault }),
  }
  const child = spawn(file, args, { env, stdio: ['ignore', 'pipe', 'pipe'] })
  const ended = new Promise<void>(resolve => child.once('close', () => resolve()))
  const url = await listeningAddress(child, name)
  return {
    url,
    stop: async () => {
      child.kill()
      await ended
    },
  }
}

/** Waits for the line with which a stranger says that it listens. */
function listeningAddress(child: ChildProcessByStdio<null, Readable, Readable>, name: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let output = ''
    let errors = ''
    child.stdout.setEncoding('utf8').on('data', (part: string) => {
      output += part
      const address = /listening on (http:\/\/127\.0\.0\.1:\d+)/.exec(output)?.[1]
      if (address !== undefined) resolve(address)
    })
    child.stderr.setEncoding('utf8').on('data', (part: string) => {
      errors = (errors + part).slice(-4_000)
    })
    child.once('error', reject)
    child.once('exit', code => reject(new Error(`${name} ended with exit code ${code} before it listened: ${errors}`)))
  })
}
