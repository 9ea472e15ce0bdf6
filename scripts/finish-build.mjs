import { execFileSync } from 'node:child_process'
import { chmodSync, copyFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { build, transform } from 'esbuild'
import { rolldown } from 'rolldown'
import { dts } from 'rolldown-plugin-dts'
import { writeCompiledTemplates } from '../build/generator/text/compile-templates.js'
import { writeBundles } from '../build/generator/vendor/bundle-runtime.js'
import { runtimeParts, writeArchive } from '../build/generator/vendor/runtime-files.js'
import { validatorCode } from '../build/spec/language/shape/write-validator.js'
import { commandChunks, directImports } from './chunks.mjs'
import { mappedImports, writeBrowserModules } from './write-browser.mjs'
import { writePage } from './write-page.mjs'

// Creates `dist/`, the content of the package, from `build/`, the output of the compiler.

/** The entry points of the package, by their names in `dist/`. */
const entrances = {
  'cli/main': 'build/bin/main.js',
  'cli/module-hooks': 'build/bin/module-hooks.js',
  config: 'build/generator/config.js',
  query: 'build/runtime/query/index.js',
  client: 'build/runtime/client/index.js',
  server: 'build/runtime/server/index.js',
  language: 'build/spec/language/index.js',
  generator: 'build/generator/index.js',
  conformance: 'build/conformance/index.js',
  sql: 'build/sql/own-tables.js',
  reference: 'build/reference/index.js',
}

/** The programs of threads, beside the code that starts them. */
const threads = {
  'chunks/reader-thread': 'build/reference/readers/reader-thread.js',
  'chunks/checkpoint-thread': 'build/reference/store/engines/checkpoint-thread.js',
}

/** Packages of many files that most commands load: in one file, they load in a tenth of the time. */
const bundledPackages = ['commander', 'handlebars/runtime.js', 'js-yaml', 'kysely']

const externalPackages = {
  name: 'external-packages',
  resolveId(name, importer) {
    return importer === undefined || /^[./]/.test(name) || bundledPackages.includes(name)
      ? undefined
      : { id: name, external: true }
  },
}

rmSync('dist', { recursive: true, force: true })
await bundle()
await bundleCommand()
await writeValidator()
await writeDeclarations()
writeCompiledTemplates()
await minify('dist/templates.cjs')
await writeBrowserModules()
writeBundles('build/vendored')
compileRuntime('build/vendored')
await writeArchive('build/vendored')
await writePage('dist/page')

/** Bundles the code into few files: loading hundreds of small ones takes longer than most commands. */
async function bundle() {
  const bundle = await rolldown({
    input: { ...entrances, ...threads },
    platform: 'node',
    plugins: [mappedImports, externalPackages, directImports],
    // A browser has no such global.
    transform: { target: 'node20.19', inject: { Buffer: ['#node/buffer', 'Buffer'] } },
    preserveEntrySignatures: 'strict',
    // Each warning is an error, but for dynamic imports of what another command loads anyway.
    onLog(_, log) {
      if (log.code !== 'INEFFECTIVE_DYNAMIC_IMPORT') throw new Error(log.message)
    },
  })
  await bundle.write({
    dir: 'dist',
    format: 'esm',
    entryFileNames: '[name].js',
    chunkFileNames: 'chunks/[name]-[hash].js',
    codeSplitting: { groups: commandChunks },
    // The column in a stack trace is the position in the bundle.
    minify: true,
    comments: false,
  })
  await bundle.close()
  for (const path of bundledPackages) {
    const name = path.split('/')[0]
    copyFileSync(join('node_modules', name, 'LICENSE'), `dist/chunks/${name}.LICENSE.txt`)
  }
}

/** The first file of the command line. It loads the others when it needs them. */
async function bundleCommand() {
  await build({
    entryPoints: { 'cli/specwright': 'build/bin/specwright.js' },
    outdir: 'dist',
    bundle: true,
    external: ['./main.js'],
    platform: 'node',
    format: 'esm',
    target: 'node20.19',
    minify: true,
    logLevel: 'warning',
  })
  chmodSync('dist/cli/specwright.js', 0o755)
}

/** The validator of specs, beside the code that loads it. */
async function writeValidator() {
  writeFileSync('dist/chunks/is-spec-document.cjs', validatorCode())
  await minify('dist/chunks/is-spec-document.cjs')
}

async function minify(path) {
  const { code } = await transform(readFileSync(path, 'utf8'), { minify: true, format: 'cjs' })
  writeFileSync(path, code)
}

/** The declarations of the entry points, without what they do not reach. */
async function writeDeclarations() {
  const input = Object.entries(entrances).flatMap(([name, path]) =>
    name.startsWith('cli/') ? [] : [[name, path.replace(/\.js$/, '.d.ts')]],
  )
  const bundle = await rolldown({
    input: Object.fromEntries(input),
    external: /^[^./]/,
    plugins: [dts({ dtsInput: true, tsconfig: false })],
    onLog(_, log) {
      throw new Error(log.message)
    },
  })
  await bundle.write({
    dir: 'dist/types',
    format: 'esm',
    entryFileNames: '[name].d.ts',
    chunkFileNames: 'chunks/[name]-[hash].d.ts',
    minifyInternalExports: false,
  })
  await bundle.close()
}

/** The runtime beside generated code as JavaScript and declarations. Only the declarations keep the comments. */
function compileRuntime(folder) {
  const compiler = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin/tsc')
  const options = [
    ...['--ignoreConfig', '--strict', '--exactOptionalPropertyTypes', '--noUncheckedIndexedAccess'],
    ...['--target', 'es2022', '--module', 'nodenext', '--lib', 'es2022,dom', '--types', ''],
  ]
  const files = runtimeParts.map(part => join(folder, `${part}.ts`))
  for (const output of [['--declaration', '--emitDeclarationOnly'], ['--removeComments']]) {
    execFileSync(process.execPath, [compiler, ...options, ...output, ...files], { stdio: 'inherit' })
  }
}
