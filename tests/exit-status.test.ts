import { spawnSync } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { root } from './root.js'

// Below the packages, so that Vitest is found.
const folder = join(root, 'node_modules/.cache/specwright', `exit-status-${process.pid}`)

beforeAll(() => {
  mkdirSync(folder, { recursive: true })
  writeFileSync(
    join(folder, 'vitest.config.ts'),
    `import config from ${JSON.stringify(join(root, 'vitest.config.ts'))}
export default { ...config, root: ${JSON.stringify(root)}, test: { ...config.test, include: ['node_modules/.cache/specwright/exit-status-*/*.test.ts'], exclude: [] } }
`,
  )
  writeFileSync(
    join(folder, 'failing.test.ts'),
    `import { expect, it } from 'vitest'
it('uses the shared PostgreSQL', async () => {
  expect((await fetch(process.env.SPECWRIGHT_TEST_POSTGRES_STARTER ?? '')).ok).toBe(true)
  expect('done').toBe('passed')
})
`,
  )
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

it('a run of a failing test ends with status 1, also after the shared PostgreSQL has ended', () => {
  const config = join(folder, 'vitest.config.ts')
  const run = spawnSync(
    process.execPath,
    [join(root, 'node_modules/vitest/vitest.mjs'), 'run', '--config', config, 'failing.test.ts'],
    { cwd: root, encoding: 'utf8', env: { ...process.env, NO_COLOR: '1', FORCE_COLOR: undefined } },
  )
  expect(run.stdout).toMatch(/Tests\s+1 failed/)
  expect(run.status).toBe(1)
})
