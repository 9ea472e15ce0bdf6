import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, relative, resolve } from 'node:path'
import type { ImportExtension } from '../../generator/index.js'

/** What generated code must look like for the tools of a project. */
interface ProjectTools {
  /** Undefined: the default suits. */
  readonly importExtension?: ImportExtension
  readonly compiledRuntime?: true
  /** What was found, and where: `Next.js in package.json`. */
  readonly found: readonly string[]
}

/**
 * Finds the tools of the project that a folder is in, in the nearest package.json, tsconfig.json and deno.json. Reads only files
 * that a project commits or installs, so that the result is the same on every machine.
 *
 * @param out the output folder, absolute; it need not exist
 */
export function detectProject(out: string): ProjectTools {
  const manifestPath = nearest(out, ['package.json'])
  const manifest = manifestPath === undefined ? {} : readJson(manifestPath)
  const root = manifestPath === undefined ? undefined : dirname(manifestPath)
  const has = (...names: readonly string[]): boolean =>
    names.some(name => ['dependencies', 'devDependencies'].some(kind => name in record(manifest[kind])))
  const denoPath = nearest(out, ['deno.json', 'deno.jsonc'], root)
  const configPath = nearest(out, ['tsconfig.json'], root)
  const compiler = configPath === undefined ? {} : compilerOptions(configPath)
  const isModule = manifest['type'] === 'module'
  const config = configPath === undefined ? '' : 'tsconfig.json'
  // Without a compiler that emits JavaScript elsewhere, nobody copies the compiled runtime there.
  const canCompile = compiler['noEmit'] === true || compiler['allowJs'] === true || compiler['outDir'] === undefined
  const isOld = isOlderThanEs2022(compiler['target'])
  const old = isOld && canCompile ? `"target": "${String(compiler['target'])}" in ${config}` : undefined

  if (has('next')) return tools('none', true, 'Next.js in package.json')
  if (denoPath !== undefined) return tools('ts', false, `Deno in ${relative(dirname(denoPath), denoPath)}`)
  // An extension is required where Node.js resolves the imports of ECMAScript modules.
  const needsExtension = isModule && /^node/i.test(String(compiler['module'] ?? compiler['moduleResolution'] ?? ''))
  if (has('jest') && !needsExtension) {
    if (has('ts-jest', '@swc/jest')) return tools('none', false, 'Jest in package.json', old)
    return tools('none', true, 'Jest with Babel in package.json')
  }
  if (has('webpack') && !needsExtension && has('ts-loader', 'babel-loader')) {
    if (has('ts-loader')) return tools('none', false, 'webpack with ts-loader in package.json', old)
    return tools('none', true, 'webpack with babel-loader in package.json')
  }
  if (compiler['rewriteRelativeImportExtensions'] === true) {
    return tools('ts', false, `"rewriteRelativeImportExtensions" in ${config}`, old)
  }
  const runsTypeScript = Object.values(record(manifest['scripts'])).some(
    script => typeof script === 'string' && /\bnode (?:-\S+ )*\S+\.m?ts\b/.test(script),
  )
  if (isModule && runsTypeScript) return tools('ts', false, 'TypeScript on Node.js in the scripts of package.json', old)
  return tools(undefined, false, undefined, old)
}

function tools(
  importExtension: ImportExtension | undefined,
  compiled: boolean,
  found: string | undefined,
  oldTarget?: string,
): ProjectTools {
  return {
    ...(importExtension === undefined ? {} : { importExtension }),
    ...(compiled || oldTarget !== undefined ? { compiledRuntime: true } : {}),
    found: [found, oldTarget].filter(each => each !== undefined),
  }
}

/** The first of the files in the folder or in one above it. @param last the last folder to search */
function nearest(folder: string, names: readonly string[], last?: string): string | undefined {
  for (let at = folder; ; at = dirname(at)) {
    const found = names.map(name => join(at, name)).find(path => existsSync(path))
    if (found !== undefined || at === last || dirname(at) === at) return found
  }
}

/** How many files a tsconfig.json may extend, one after another. */
const maxExtended = 10

/** The compiler options of a tsconfig.json, with those that it extends. */
function compilerOptions(path: string, depth = 0): Readonly<Record<string, unknown>> {
  const config = readJson(path)
  const bases = [config['extends']].flat().filter(base => typeof base === 'string')
  const inherited = bases.map(base => {
    const found = depth < maxExtended ? extendedFile(path, base) : undefined
    return found === undefined ? {} : compilerOptions(found, depth + 1)
  })
  return Object.assign({}, ...inherited, record(config['compilerOptions']))
}

/** Undefined for a file in a hidden folder: tools write it, such as `.svelte-kit/tsconfig.json`, and it is not there in CI. */
function extendedFile(path: string, base: string): string | undefined {
  if (/^\.{1,2}\//.test(base)) {
    if (/(?:^|\/)\.[^./]/.test(base)) return undefined
    const file = resolve(dirname(path), base)
    return [file, `${file}.json`].find(path => existsSync(path))
  }
  const { resolve: find } = createRequire(path)
  for (const name of [base, `${base}.json`, `${base}/tsconfig.json`]) {
    try {
      const file = find(name)
      if (file.endsWith('.json')) return file
    } catch {
      // The next name may be the right one. A package that is not installed has no options.
    }
  }
  return undefined
}

/** The content of a JSON file that may have comments and trailing commas. Empty if it cannot be read: its own tool says why. */
function readJson(path: string): Readonly<Record<string, unknown>> {
  try {
    const text = readFileSync(path, 'utf8').replace(/^\uFEFF/, '')
    const plain = text
      .replace(/("(?:[^"\\\n]|\\.)*")|\/\/[^\n]*|\/\*[\s\S]*?\*\//g, (_, string: string | undefined) => string ?? '')
      .replace(/("(?:[^"\\\n]|\\.)*")|,(?=\s*[}\]])/g, (_, string: string | undefined) => string ?? '')
    return record(JSON.parse(plain))
  } catch {
    return {}
  }
}

const record = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {}

/** Whether an explicit `target` lacks private fields and the like, which the runtime has. */
function isOlderThanEs2022(target: unknown): boolean {
  const year = /^es(\d+)$/i.exec(String(target ?? ''))?.[1]
  return year !== undefined && Number(year) < 2022
}
