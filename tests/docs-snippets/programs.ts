import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { root } from '../root.js'
import { showsModule } from './with-results.js'

const execute = promisify(execFile)

/** A module of a program: its path without ending, and its text. */
export interface Module {
  readonly path: string
  readonly text: string
}

/** Modules that were compiled together, in a folder where the package is installed. */
export interface Programs {
  /** What the compiler says of a module, or of what it has generated; empty when it is content. */
  errorsOf(path: string): string
  /** Runs a module; rejects with what it prints when it fails. */
  run(path: string): Promise<void>
  remove(): Promise<void>
}

const configuration = {
  compilerOptions: {
    target: 'es2022',
    lib: ['es2023'],
    module: 'nodenext',
    types: ['node'],
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    noPropertyAccessFromIndexSignature: true,
    skipLibCheck: true,
    outDir: 'out',
    rootDir: '.',
  },
  include: ['**/*.ts'],
}

/** Compiles modules in one run of the compiler. */
export async function compilePrograms(modules: readonly Module[]): Promise<Programs> {
  const folder = await mkdtemp(join(tmpdir(), 'specwright-docs-'))
  const remove = (): Promise<void> => rm(folder, { recursive: true, force: true })
  const write = async (path: string, text: string): Promise<void> => {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await writeFile(join(folder, path), text)
  }
  await mkdir(join(folder, 'node_modules'))
  await symlink(root, join(folder, 'node_modules', 'specwright'))
  await symlink(join(root, 'node_modules', '@types'), join(folder, 'node_modules', '@types'))
  await write('package.json', '{ "type": "module" }')
  await write('tsconfig.json', JSON.stringify(configuration))
  await write('shows.ts', showsModule)
  for (const { path, text } of modules) await write(`${path}.ts`, text)
  const compiler = join(root, 'node_modules', '.bin', 'tsc')
  const said = await execute(compiler, ['-p', '.', '--pretty', 'false'], { cwd: folder }).then(
    () => '',
    (error: unknown) => (error instanceof Error && 'stdout' in error ? String(error.stdout) : String(error)),
  )
  return {
    errorsOf: path =>
      said
        .split(/\n(?=\S)/)
        .filter(line => line.startsWith(`${path}.ts(`) || (line !== '' && !/^[\w./-]+\.ts\(/.test(line)))
        .join('\n'),
    run: async path => void (await execute(process.execPath, [join('out', `${path}.js`)], { cwd: folder })),
    remove,
  }
}
