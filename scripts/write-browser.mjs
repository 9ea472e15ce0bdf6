import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { join } from 'node:path'
import { build } from 'esbuild'

/**
 * Imports the modules of Node.js, and optional packages, by names that `imports` of package.json maps: to files in `dist/browser/` for
 * bundlers that build for browsers, and to files in `dist/node/` for everything else. Node.js accepts no `node:` in that
 * member, and without it Vite would take `url` for the npm package of that name.
 */
export const mappedImports = {
  name: 'mapped-imports',
  resolveId(name, importer = '') {
    // The command line runs on Node.js only.
    if (name.startsWith('node:')) {
      return { id: /\/build\/bin\/|\/commander\//.test(importer) ? name : mappedName(name), external: true }
    }
    // What no browser needs: drivers of databases, and a compiler. Bundlers would bundle them all the same.
    return /^(?:pg|better-sqlite3|ts-morph)$/.test(name) ? { id: `#optional/${name}`, external: true } : undefined
  },
}

const mappedName = path => `#node/${path.slice('node:'.length).replaceAll('/', '-')}`

/**
 * Writes `dist/node/` and `dist/browser/`: for each mapped import of the bundled code, the module of Node.js, and one for
 * browsers with all names that the code imports. What no browser has throws when it is used.
 */
export async function writeBrowserModules() {
  const imported = importedNames('dist')
  mkdirSync('dist/node')
  for (const name of imported.keys()) {
    if (!name.startsWith('#node/')) continue
    const module = originalOf(name)
    writeFileSync(
      `dist/node/${name.slice('#node/'.length)}.js`,
      `export * from '${module}'\nexport { default } from '${module}'\n`,
    )
  }
  mkdirSync('dist/browser')
  await build({
    entryPoints: [...imported.keys()].map(name => ({ in: name, out: fileName(name) })),
    outdir: 'dist/browser',
    chunkNames: 'part-[hash]',
    bundle: true,
    splitting: true,
    platform: 'browser',
    format: 'esm',
    target: 'es2022',
    minify: true,
    legalComments: 'none',
    external: [
      '../../spec/specwright.schema.json',
      '../templates.cjs',
      '../chunks/is-spec-document.cjs',
      'ajv/*',
      'yaml',
    ],
    plugins: [moduleOf(imported)],
    logLevel: 'warning',
  })
}

const fileName = name => name.slice(1).replace('/', '-')

/** What the bundled code imports by mapped names: for each, the names of the members. */
function importedNames(folder) {
  const found = new Map()
  for (const entry of readdirSync(folder, { recursive: true })) {
    if (!entry.endsWith('.js')) continue
    const text = readFileSync(join(folder, entry), 'utf8')
    for (const [, clause = '', name] of text.matchAll(
      /import\b\s*\(?([^"'()]*?)(?:from)?\s*["'](#(?:node|optional)\/[^"']+)["']/g,
    )) {
      const names = found.get(name) ?? new Set()
      found.set(name, names)
      if (/^\s*[\w$]/.test(clause)) names.add('default')
      for (const member of clause.match(/\{([^}]*)\}/)?.[1].split(',') ?? []) {
        const [name = ''] = member.trim().split(' as ')
        if (name !== '') names.add(name)
      }
    }
  }
  return found
}

/** The module that a mapped name stands for. */
function originalOf(name) {
  const [kind, rest] = name.slice(1).split('/')
  if (kind === 'optional') return rest
  const module = `node:${rest}`
  return isBuiltin(module) || rest === 'sqlite' ? module : module.replace('-', '/')
}

/** The module of a mapped name: what `scripts/browser/` has, and for each other member a function that throws. */
function moduleOf(imported) {
  return {
    name: 'browser-module',
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /^#(?:node|optional)\// }, ({ path }) => ({ path, namespace: 'mapped' }))
      onLoad({ filter: /.*/, namespace: 'mapped' }, async ({ path }) => {
        const file = `scripts/browser/${path.split('/')[1]}.mjs`
        const own = readdirSync('scripts/browser').includes(file.slice('scripts/browser/'.length))
          ? await exportsOf(file)
          : []
        const missing = [...imported.get(path)].filter(name => !own.includes(name))
        return {
          resolveDir: process.cwd(),
          contents: [
            ...(own.length === 0 ? [] : [`export * from './${file}'`]),
            `const absent = name => function () { throw Object.assign(new Error(\`\${name} of ${originalOf(path)} is not available in a browser.\`), { code: 'MODULE_NOT_FOUND' }) }`,
            ...missing.map(name =>
              name === 'default' ? "export default absent('default')" : `export const ${name} = absent('${name}')`,
            ),
          ].join('\n'),
        }
      })
    },
  }
}

async function exportsOf(file) {
  const { metafile } = await build({
    entryPoints: [file],
    bundle: true,
    write: false,
    format: 'esm',
    metafile: true,
    outdir: 'unused',
    external: ['../../spec/*', '../templates.cjs', '../chunks/is-spec-document.cjs', 'ajv/*', 'yaml'],
  })
  return Object.values(metafile.outputs)[0].exports
}
