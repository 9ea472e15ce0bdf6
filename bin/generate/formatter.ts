import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, extname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type Format, FormatFailure, type FormatFile } from '../../generator/index.js'
import { visibleLines } from '../../spec/language/index.js'

/**
 * The formatter that a configuration names.
 *
 * @param folder where the configuration is: the formatter is looked up and run there
 */
export function formatterOf(format: Format, folder: string): FormatFile {
  if (format === 'prettier') return prettier(folder)
  if (format === 'biome') return biome(folder)
  return typeof format === 'function' ? ownFunction(format) : command(format, folder)
}

/** The API of Prettier, as far as it is used. @see https://prettier.io/docs/api */
interface Prettier {
  readonly resolveConfig: (path: string, options: object) => Promise<object | null>
  readonly getFileInfo: (
    path: string,
    options: object,
  ) => Promise<{ readonly ignored: boolean; readonly inferredParser: string | null }>
  readonly format: (text: string, options: object) => Promise<string>
}

/** In this process: starting Prettier for each file takes longer than to format it. */
function prettier(folder: string): FormatFile {
  let loaded: Promise<Prettier> | undefined
  return async (text, path) => {
    loaded ??= importPrettier(folder)
    const { resolveConfig, getFileInfo, format } = await loaded
    try {
      const ignorePath = ['.gitignore', '.prettierignore'].map(file => join(folder, file))
      const { ignored, inferredParser } = await getFileInfo(path, { ignorePath, resolveConfig: true })
      if (ignored || inferredParser === null) return text
      const options = await resolveConfig(path, { editorconfig: true })
      return await format(text, { ...options, filepath: path })
    } catch (error) {
      throw failure(error)
    }
  }
}

async function importPrettier(folder: string): Promise<Prettier> {
  try {
    const path = createRequire(join(folder, 'index.js')).resolve('prettier')
    const { default: module }: { readonly default: Prettier } = await import(pathToFileURL(path).href)
    return module
  } catch (error) {
    throw new FormatFailure('Prettier is not installed here: npm install --save-dev prettier', { cause: error })
  }
}

/** The extensions of files that Biome formats. It refuses others. */
const biomeExtensions = new Set([
  '.ts',
  '.tsx',
  '.mts',
  '.cts',
  '.js',
  '.jsx',
  '.mjs',
  '.cjs',
  '.json',
  '.css',
  '.graphql',
  '.gql',
  '.html',
])

function biome(folder: string): FormatFile {
  const script = packageFile(folder, '@biomejs/biome/bin/biome')
  return (text, path) => {
    if (script === undefined) {
      throw new FormatFailure('Biome is not installed here: npm install --save-dev --save-exact @biomejs/biome')
    }
    if (!biomeExtensions.has(extname(path))) return Promise.resolve(text)
    const words = [process.execPath, script, 'format', '--colors=off', `--stdin-file-path=${path}`]
    return run(words, text, folder)
  }
}

/** A file of a package that is installed in a folder, or in one above it. */
function packageFile(folder: string, file: string): string | undefined {
  const path = join(folder, 'node_modules', file)
  if (existsSync(path)) return path
  const parent = dirname(folder)
  return parent === folder ? undefined : packageFile(parent, file)
}

const command =
  (words: readonly string[], folder: string): FormatFile =>
  (text, path) =>
    run(
      words.map(word => word.replaceAll('{file}', path)),
      text,
      folder,
    )

const ownFunction =
  (format: (text: string, path: string) => string | Promise<string>): FormatFile =>
  async (text, path) => {
    try {
      const formatted: unknown = await format(text, path)
      if (typeof formatted === 'string') return formatted
      throw new FormatFailure('The function `format` did not return a string.')
    } catch (error) {
      throw failure(error)
    }
  }

function failure(error: unknown): FormatFailure {
  if (error instanceof FormatFailure) return error
  return new FormatFailure(visibleLines(error instanceof Error ? error.message : String(error)), { cause: error })
}

/** The last lines of what a formatter wrote to standard error. */
const maxShownCharacters = 1000

/** Runs a command without a shell. */
function run([file = '', ...args]: readonly string[], text: string, cwd: string): Promise<string> {
  return new Promise((done, failed) => {
    const child = spawn(file, args, { cwd, stdio: ['pipe', 'pipe', 'pipe'] })
    const out: Buffer[] = []
    let err = ''
    child.stdout.on('data', (chunk: Buffer) => out.push(chunk))
    child.stderr.on('data', (chunk: Buffer) => {
      err = (err + chunk.toString()).slice(-maxShownCharacters)
    })
    // A formatter that ends early closes its input. Its exit code says why.
    child.stdin.on('error', () => {})
    child.on('error', error => failed(new FormatFailure(`${file} cannot be run: ${error.message}`)))
    child.on('close', code => {
      const formatted = Buffer.concat(out).toString()
      if (code !== 0) failed(new FormatFailure(`${file} ended with ${code}: ${visibleLines(err.trim())}`))
      else if (formatted === '' && text !== '') {
        failed(new FormatFailure(`${file} wrote nothing. It must write the formatted text to standard output.`))
      } else done(formatted)
    })
    child.stdin.end(text)
  })
}
