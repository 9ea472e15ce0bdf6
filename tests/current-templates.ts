import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { transform } from 'esbuild'
import { compiledTemplates } from '../generator/text/compile-templates.js'
import { packageFolder } from '../spec/language/index.js'

/**
 * Runs before all tests. The generator reads templates that the build has compiled, so tests would pass with old ones.
 */
export default async function requireCurrentTemplates(): Promise<void> {
  const built = join(packageFolder('dist'), 'templates.cjs')
  const { code } = await transform(compiledTemplates(), { minify: true, format: 'cjs' })
  if (existsSync(built) && readFileSync(built, 'utf8') === code) return
  throw new Error('dist/templates.cjs does not have the templates in templates/. Run npm run build, then the tests.')
}
