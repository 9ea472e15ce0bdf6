import { spawnSync } from 'node:child_process'
import { expect, it } from 'vitest'

const calls = {
  'optimise-later': 'optimiseLater',
  'collect-alone': 'collectAlone',
  'collect-sooner': 'collectSooner',
}

it.each(Object.entries(calls))('%s: V8 has each flag that it is given', (module, name) => {
  const program = `import { ${name} } from ${JSON.stringify(new URL(`../../dist/bin/conformance/${module}.js`, import.meta.url).href)}; ${name}()`
  const { status, stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', program], {
    encoding: 'utf8',
  })
  expect([status, stderr]).toEqual([0, ''])
})

it('V8 tells of a flag that it does not have', () => {
  const program = "require('node:v8').setFlagsFromString('--no-such-flag=1')"
  expect(spawnSync(process.execPath, ['--eval', program], { encoding: 'utf8' }).stderr).toContain('unrecognized flag')
})
