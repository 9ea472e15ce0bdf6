import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { packageFolder } from '../package-folder.js'
import { compiledTemplates } from './compile-templates.js'

it('the build has compiled the templates as they are now (if not: npm run build)', () => {
  expect(readFileSync(join(packageFolder('dist'), 'templates.cjs'), 'utf8')).toBe(compiledTemplates())
})
