import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { countFiles, planOutput, staleFiles } from '../../generator/index.js'
import { loadSpec } from '../../spec/language/index.js'
import { root } from '../root.js'

describe('the generated code in this repository', () => {
  it.each(['directory', 'library'])(
    'in generated/%s is up to date with its spec (npm run generate updates it)',
    async name => {
      const loaded = await loadSpec(join(root, 'spec', `${name}.yaml`))
      const { plan, diagnostics } = await planOutput(loaded, {
        out: join(root, 'generated', name),
        runtime: '../../runtime',
      })
      expect(diagnostics).toEqual([])
      expect(plan && staleFiles(plan)).toEqual([])
      expect(plan && countFiles(plan).unchanged).toBeGreaterThan(10)
    },
  )
})
