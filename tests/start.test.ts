import { execFile } from 'node:child_process'
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, describe, expect, it } from 'vitest'
import { root } from './root.js'

const report = join(root, 'conformance-report.html')

describe('npm start, after the build', () => {
  afterAll(() => rmSync(report, { force: true }))

  it('generates the Directory service, calls it, serves it on SQLite, and checks it over HTTP', async () => {
    const { stdout } = await promisify(execFile)(process.execPath, ['scripts/start.mjs'], { cwd: root })
    expect(stdout).toMatch(/^\d+ files: /m)
    expect(stdout).toMatch(/serving Directory and Mailbox at http:\/\/127\.0\.0\.1:\d+\/v1\.0/)
    expect(stdout).toContain('["Annie Easley (Ada Lovelace)","Alan Turing (Ada Lovelace)","Ada Lovelace (nobody)"]')
    expect(stdout).toContain('"stale":"412 ErrorIrresolvableConflict","gone":"404 ErrorItemNotFound"')
    expect(stdout).toContain('Done: every request above went over HTTP.')
    expect(stdout).toMatch(/^listening http:\/\/127\.0\.0\.1:\d+\/v1\.0$/m)
    expect(stdout).toMatch(/^CONFORMS {2}No violation found\./m)
    expect(stdout).toContain(`The report: ${report}`)
    expect(readFileSync(report, 'utf8')).toContain('Directory and Mailbox')
  })
})
