import { existsSync } from 'node:fs'
import nodeModule from 'node:module'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Config, Emitter, Format } from '../generator/index.js'
import { userError } from '../spec/language/index.js'
import { UsageError } from './output.js'
import { packageRoot } from './package-root.js'

/** The possible names of the configuration file. */
const fileNames = ['specwright.config.ts', 'specwright.config.js', 'specwright.config.mjs'] as const

const keys = ['services', 'templates', 'emitters', 'format']

/** A configuration that was loaded: checked, except for `services`. */
export interface LoadedConfig extends Pick<Config, 'emitters' | 'format'> {
  /** The file, absolute. */
  readonly path: string
  /** Its name. */
  readonly name: string
  /** Absolute. */
  readonly templates?: string
  /** Not checked yet. */
  readonly services?: unknown
}

/** How often a configuration was loaded. Each time it needs another address, because modules are loaded once. */
let loads = 0

/**
 * Loads the configuration file of a folder, which is code, and runs.
 *
 * @returns undefined if the folder has none
 * @throws UsageError if it fails, or if its export is no configuration
 */
export async function loadConfig(folder: string): Promise<LoadedConfig | undefined> {
  const [name, other] = fileNames.filter(file => existsSync(join(folder, file)))
  if (name === undefined) return undefined
  if (other !== undefined) throw new UsageError(`There are ${name} and ${other}. Remove one of the two.`)
  const path = join(folder, name)
  const config = await importDefault(name, path)
  const fail = (message: string): UsageError => new UsageError(`${name}: ${message}`)
  if (!isRecord(config)) throw fail('it has no default export. Write: export default defineConfig({ … })')
  for (const key of Object.keys(config)) {
    if (!keys.includes(key)) throw fail(`unknown key "${key}". Known keys: ${keys.join(', ')}`)
  }
  const { templates, emitters, format, services } = config
  if (templates !== undefined && (typeof templates !== 'string' || templates === '')) {
    throw fail('expected the path of a folder in `templates`')
  }
  if (emitters !== undefined && !isEmitterList(emitters)) {
    throw fail('expected a list of `{ name, emit(service, context) { … } }` in `emitters`')
  }
  if (format !== undefined && !isFormat(format)) {
    throw fail("expected 'biome', 'prettier', the words of a command in a list, or a function in `format`")
  }
  return {
    path,
    name,
    ...(templates === undefined ? {} : { templates: resolve(folder, templates) }),
    ...(emitters === undefined ? {} : { emitters }),
    ...(format === undefined ? {} : { format }),
    ...(services === undefined ? {} : { services }),
  }
}

async function importDefault(name: string, path: string): Promise<unknown> {
  try {
    const loaded: unknown = await importModule(path, loads++)
    return isRecord(loaded) ? loaded['default'] : undefined
  } catch (error) {
    throw new UsageError(`${name} cannot be loaded.\n${userError(error)}`)
  }
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isEmitterList = (value: unknown): value is readonly Emitter[] =>
  Array.isArray(value) &&
  value.every(each => isRecord(each) && typeof each['name'] === 'string' && typeof each['emit'] === 'function')

const isFormat = (value: unknown): value is Format =>
  value === 'biome' ||
  value === 'prettier' ||
  typeof value === 'function' ||
  (Array.isArray(value) && value.length > 0 && value.every(word => typeof word === 'string'))

let isHooked = false

/**
 * Imports a module of the user, which is trusted code. It can be TypeScript, and what it imports, too.
 *
 * @param version modules are loaded once: another version loads the file again
 */
export async function importModule(path: string, version = 0): Promise<unknown> {
  if (!isHooked) {
    isHooked = true
    const registerHooks: unknown = Reflect.get(nodeModule, 'registerHooks')
    // A stack trace shows the lines of the TypeScript.
    process.setSourceMapsEnabled(true)
    if (typeof registerHooks === 'function') registerHooks(await import('./module-hooks.js'))
    else nodeModule.register(pathToFileURL(join(packageRoot(), 'dist', 'cli', 'module-hooks.js')))
  }
  const { href } = pathToFileURL(path)
  return import(version === 0 ? href : `${href}?version=${version}`)
}
