import { spawnSync } from 'node:child_process'
import { expect, it } from 'vitest'

const module = new URL('../../build/bin/conformance/v8-flags.js', import.meta.url).href

it.each([100, 50_000])('V8 has each flag that a run over %i rows sets', rows => {
  const program = `import { tuneV8 } from ${JSON.stringify(module)}; tuneV8(${rows})`
  const { status, stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', program], {
    encoding: 'utf8',
  })
  expect([status, stderr]).toEqual([0, ''])
})

it('V8 warns about an unknown flag', () => {
  const program = "require('node:v8').setFlagsFromString('--no-such-flag=1')"
  expect(spawnSync(process.execPath, ['--eval', program], { encoding: 'utf8' }).stderr).toContain('unrecognized flag')
})
