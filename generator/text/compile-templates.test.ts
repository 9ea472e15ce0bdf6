import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { transform } from 'esbuild'
import { expect, it } from 'vitest'
import { packageFolder } from '../package-folder.js'
import { compiledTemplates } from './compile-templates.js'

it('the build has compiled the templates as they are now (if not: npm run build)', async () => {
  const { code } = await transform(compiledTemplates(), { minify: true, format: 'cjs' })
  expect(readFileSync(join(packageFolder('dist'), 'templates.cjs'), 'utf8')).toBe(code)
})
