import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { root } from './root.js'

describe('npm start', () => {
  it('generates the Directory service, serves it over HTTP, and calls every kind of operation', async () => {
    const { stdout } = await promisify(execFile)('npm', ['run', '--silent', 'example'], { cwd: root })
    expect(stdout).toMatch(/^\d+ files: /)
    expect(stdout).toMatch(/serving Directory and Mailbox at http:\/\/127\.0\.0\.1:\d+\/v1\.0/)
    expect(stdout).toContain('["Annie Easley (Ada Lovelace)","Alan Turing (Ada Lovelace)","Ada Lovelace (nobody)"]')
    expect(stdout).toContain('"stale":"412 ErrorIrresolvableConflict","gone":"404 ErrorItemNotFound"')
    expect(stdout).toContain('Done: every request above went over HTTP.')
  })
})
