import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { packageFolder } from '../package-folder.js'
import { compileTemplates } from './compile-templates.js'

const folder = packageFolder('templates')
const names = readdirSync(folder)
  .filter(file => file.endsWith('.hbs'))
  .map(file => file.slice(0, -'.hbs'.length))
  .sort()
const read = (file: string) => readFileSync(join(folder, file), 'utf8')

describe('the compiled templates', () => {
  it('are those that stand beside them (made anew by npm run build)', () => {
    expect(read('compiled.cjs')).toBe(compileTemplates(names.map(name => [name, read(`${name}.hbs`)])))
  })
})
