import { chmodSync, copyFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { build, transform } from 'esbuild'
import { writeCompiledTemplates } from '../dist/generator/text/compile-templates.js'
import { writeBundles } from '../dist/generator/vendor/bundle-runtime.js'
import { compiledValidatorPath } from '../dist/spec/language/shape/schema.js'
import { writeValidator } from '../dist/spec/language/shape/write-validator.js'
import { compileBundles } from './compile-bundles.mjs'
import { writePage } from './write-page.mjs'

// What the build does after the compiler: whatever would otherwise be done anew at each start of the command line.

writeValidator()
writeCompiledTemplates()
writeBundles()
compileBundles('dist/vendored')
writePage('dist/page')

// Loading hundreds of small modules takes longer than what most commands do.
const folder = 'dist/cli'
rmSync(folder, { recursive: true, force: true })
await build({
  entryPoints: ['dist/bin/specwright.js'],
  outdir: folder,
  bundle: true,
  splitting: true,
  platform: 'node',
  format: 'esm',
  target: 'node20.19',
  plugins: [
    {
      name: 'packages-external',
      setup({ onResolve }) {
        // Of what every run of the generator loads, Handlebars alone is spread over two dozen files.
        onResolve({ filter: /^[^./]/ }, ({ path, kind }) =>
          kind === 'entry-point' || path === 'handlebars/runtime.js' ? undefined : { path, external: true },
        )
      },
    },
  ],
  // Names stay, for the stack in a bug report.
  minifyWhitespace: true,
  minifySyntax: true,
  logLevel: 'warning',
})
const validator = await transform(readFileSync(compiledValidatorPath, 'utf8'), { minify: true, format: 'cjs' })
writeFileSync(`${folder}/is-spec-document.cjs`, validator.code)
copyFileSync('node_modules/handlebars/LICENSE', `${folder}/handlebars.LICENSE.txt`)
chmodSync(`${folder}/specwright.js`, 0o755)
