import { spawn } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, extname, join, resolve, sep } from 'node:path'
import { pathToFileURL } from 'node:url'
import {
  type Format,
  FormatFailure,
  type FormatFile,
  isFileSystemError,
  type OutputOptions,
  type TemplateText,
} from '../../generator/index.js'
import { formatDiagnostics, installCommand, visibleLines } from '../../spec/language/index.js'
import type { LoadedConfig } from '../config.js'
import { displayPath, UsageError } from '../output.js'
import type { Terminal } from '../terminal.js'

/** What a project adds to the generator. */
export interface Additions extends Pick<OutputOptions, 'templates' | 'emitters' | 'configPath'> {
  readonly format?: FormatFile
  /** The files that they come from, absolute. */
  readonly files: readonly string[]
}

/**
 * Reads templates, and finds the formatter.
 *
 * @throws UsageError if the folder of templates cannot be read, or a template is broken
 */
export async function readAdditions(
  { cwd }: Terminal,
  config: LoadedConfig | undefined,
  { templates: named }: { readonly templates?: string },
): Promise<Additions> {
  const folder = named === undefined ? config?.templates : resolve(cwd, named)
  const texts = folder === undefined ? [] : readTemplates(folder, displayPath(cwd, folder))
  const { replaceTemplates } = await import('../../generator/index.js')
  const templates = texts.length === 0 ? undefined : await replaceTemplates(texts)
  if (templates !== undefined && 'diagnostics' in templates) {
    throw new UsageError(formatDiagnostics(templates.diagnostics, { format: 'plain' }))
  }
  return {
    templates,
    ...(config?.emitters === undefined ? {} : { emitters: config.emitters }),
    ...(config?.format === undefined ? {} : { format: formatterOf(config.format, cwd) }),
    ...(config === undefined ? {} : { configPath: config.name }),
    files: [...(config === undefined ? [] : [config.path]), ...texts.map(({ path }) => resolve(cwd, path))],
  }
}

/** All `.hbs` files below a folder. */
function readTemplates(folder: string, shown: string): readonly TemplateText[] {
  try {
    const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(name => name.endsWith('.hbs'))
    if (names.length === 0) {
      throw new UsageError(
        `${shown} has no templates. Copy those that you want to change from the folder templates of the package.`,
      )
    }
    return names.sort().map(name => ({
      name: name.slice(0, -'.hbs'.length).split(sep).join('/'),
      path: join(shown, name),
      text: readFileSync(join(folder, name), 'utf8'),
    }))
  } catch (error) {
    if (!isFileSystemError(error)) throw error
    const why = { ENOENT: 'there is no such folder', ENOTDIR: 'it is not a folder' }[error.code] ?? error.message
    throw new UsageError(`The templates in ${shown} cannot be read: ${why}. Name a folder with .hbs files.`)
  }
}

/**
 * The formatter that a configuration names.
 *
 * @param folder where the configuration is: the formatter is looked up and run there
 */
function formatterOf(format: Format, folder: string): FormatFile {
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
    throw new FormatFailure(`Prettier is not installed here: ${installCommand('prettier', 'development')}`, {
      cause: error,
    })
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
      throw new FormatFailure(`Biome is not installed here: ${installCommand('@biomejs/biome', 'development')}`)
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
