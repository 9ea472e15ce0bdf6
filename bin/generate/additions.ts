import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve, sep } from 'node:path'
import { type FormatFile, isFileSystemError, type OutputOptions, type TemplateText } from '../../generator/index.js'
import { formatDiagnostics } from '../../spec/language/index.js'
import type { LoadedConfig } from '../config.js'
import { UsageError } from '../exit-code.js'
import { displayPath } from '../output.js'
import type { Terminal } from '../terminal.js'
import { formatterOf } from './formatter.js'

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
    throw new UsageError(`The templates in ${shown} cannot be read: ${error.message}`)
  }
}
