import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { generate } from '../../generator/index.js'
import { oneChecker } from '../../generator/testing/compile-errors.js'
import { root } from '../root.js'

const resultComment = /^(.*?)\s*\/\/ (→|throws) (.*)$/
const declaration = /^const (\w+) = (.*)$/

/**
 * Turns the results that a snippet shows into assertions. `// → value` and `// throws message` are behind an expression, or on the
 * line below it.
 */
export function withAssertions(snippet: string): string {
  return snippet
    .replace(/\n\/\/ (→|throws) /g, ' // $1 ')
    .split('\n')
    .map(line => {
      const [, code = '', kind, shown] = resultComment.exec(line) ?? []
      if (kind === undefined) return line
      const expected = JSON.stringify(shown)
      const [, name, value] = declaration.exec(code) ?? []
      if (kind === 'throws') return `await throwing(async () => ${code}, ${expected})`
      return name === undefined
        ? `shows(${code}, ${expected})`
        : `const ${name} = ${value}; shows(${name}, ${expected})`
    })
    .join('\n')
}

/** The module that snippets with assertions import: `./shows.js`. */
const showsModule = `import { inspect } from 'node:util'

function compare(found: string, expected: string): void {
  if (found !== expected) throw new Error(\`The page says \${expected}\\nbut it is     \${found}\`)
}

export function shows(value: unknown, expected: string): void {
  compare(inspect(value, { depth: 20, breakLength: Infinity, compact: true }), expected)
}

export async function throwing(act: () => unknown, expected: string): Promise<void> {
  let found = 'nothing'
  try {
    await act()
  } catch (error) {
    found = String(error)
  }
  compare(found, expected)
}
`

const resultMark = 'result '

/** The program that imports modules, and prints a line for each one with its path and its failure. */
const runAllModule = `
for (const path of process.argv.slice(2)) {
  const failure = await import('./out/' + path + '.js').then(() => '', error => error?.stack ?? String(error))
  console.log('\\n${resultMark}' + JSON.stringify([path, failure]))
}
`

const execute = promisify(execFile)

/** A module: its path without the extension, and its text. */
interface Module {
  readonly path: string
  readonly text: string
}

/** Modules that are compiled together in a folder with the package installed. */
export interface Programs {
  /** The errors of the compiler in a module and in generated code; empty if there are none. */
  errorsOf(path: string): string
  /**
   * Imports modules one after the other in one process, which must end by itself, and returns the failure of each one; empty if it
   * ran. Rejects with the output of the process if that ends early.
   */
  failuresOf(paths: readonly string[]): Promise<ReadonlyMap<string, string>>
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

/** Compiles modules with one run of the compiler. */
export async function compilePrograms(modules: readonly Module[]): Promise<Programs> {
  const folder = await mkdtemp(join(tmpdir(), 'specwright-docs-'))
  const remove = (): Promise<void> => rm(folder, { recursive: true, force: true })
  const write = async (path: string, text: string): Promise<void> => {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await writeFile(join(folder, path), text)
  }
  await mkdir(join(folder, 'node_modules'))
  await symlink(root, join(folder, 'node_modules', 'specwright'))
  for (const name of ['@types', '@opentelemetry'])
    await symlink(join(root, 'node_modules', name), join(folder, 'node_modules', name))
  await write('package.json', '{ "type": "module" }')
  await write('tsconfig.json', JSON.stringify(configuration))
  await write('shows.ts', showsModule)
  for (const { path, text } of modules) await write(`${path}.ts`, text)
  const compiler = join(root, 'node_modules', '.bin', 'tsc')
  const said = await execute(compiler, ['-p', '.', '--pretty', 'false', ...oneChecker], { cwd: folder }).then(
    () => '',
    (error: unknown) => (error instanceof Error && 'stdout' in error ? String(error.stdout) : String(error)),
  )
  return {
    errorsOf: path =>
      said
        .split(/\n(?=\S)/)
        .filter(line => line.startsWith(`${path}.ts(`) || (line !== '' && !/^[\w./-]+\.ts\(/.test(line)))
        .join('\n'),
    failuresOf: async paths => {
      await write('run-all.mjs', runAllModule)
      const { stdout } = await execute(process.execPath, ['run-all.mjs', ...paths], { cwd: folder })
      const lines = stdout.split('\n').filter(line => line.startsWith(resultMark))
      return new Map(lines.map((line): [string, string] => JSON.parse(line.slice(resultMark.length))))
    },
    remove,
  }
}

/** The generated code of a service in a folder. @throws {Error} if the spec is invalid */
export function generatedModules(folder: string, spec: string): readonly Module[] {
  const { files, diagnostics } = generate({ path: `${folder}.yaml`, text: spec }, { only: ['client', 'server'] })
  if (diagnostics.length > 0) throw new Error(diagnostics.map(({ message }) => message).join('\n'))
  return files.map(({ path, text }) => ({ path: `${folder}/${path.replace(/\.ts$/, '')}`, text }))
}
