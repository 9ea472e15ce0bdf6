import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ts } from 'ts-morph'
import { describe, expect, it } from 'vitest'
import { packageFolder } from '../package-folder.js'
import { importedModules } from './imported-modules.js'

describe('importedModules', () => {
  it.each([
    ["import { a } from './a.js'", ['./a.js']],
    ["import type { A } from '../b/a.js'", ['../b/a.js']],
    ["import {\n  a,\n  type B,\n} from './a.js'", ['./a.js']],
    ["export * from './a.js'\nexport type { B } from './b.js'", ['./a.js', './b.js']],
    ["import './effect.js'", ['./effect.js']],
    ["// import { a } from './a.js'\nconst text = \"import './b.js'\"", []],
  ])('finds the modules of %j', (text, modules) => {
    expect(importedModules(text)).toEqual(modules)
  })

  it('finds in every runtime file what the compiler finds', () => {
    const folder = packageFolder('runtime')
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
      name => name.endsWith('.ts') && !name.includes('testing') && !/\.test(-d)?\.ts$/.test(name),
    )
    for (const file of files) {
      const text = readFileSync(join(folder, file), 'utf8')
      const found = ts.preProcessFile(text, true, true).importedFiles.map(({ fileName }) => fileName)
      expect([file, importedModules(text)]).toEqual([file, found])
    }
  })
})
