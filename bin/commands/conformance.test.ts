import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { runCommand } from '../testing/run-command.js'
import { temporaryFolders } from '../testing/temporary-folder.js'

const folder = temporaryFolders()
const url = 'http://127.0.0.1:1/v1.0'

describe('specwright conformance', () => {
  it.each<[string, readonly string[], RegExp]>([
    ['a rule', [url, '--only', 'no-such-rule'], /^error: No rule or area matches "no-such-rule"/],
    ['a profile', [url, '--profile', 'none'], /^error: The spec has no profile "none"/],
    ['an address', ['nonsense'], /^error: "nonsense" is not a valid address/],
    ['a query', [`${url}?code=s3cret`], /^error: The address contains a query \("\?…"\)/],
    ['a fragment', [`${url}#s3cret`], /^error: The address contains a fragment \("#…"\)/],
    ['a credential', ['http://me:s3cret@127.0.0.1:1/v1.0'], /^error: The address contains a credential/],
    ['a header', [url, '--header', 'X-Key s3cret'], /^error: The value of --header is not a header/],
    ['a token', [url, '--token', 's3cret!'], /^error: The value is not a bearer token/],
  ])('rejects %s that is invalid, shows no secret, and leaves no journal behind', async (_, args, wanted) => {
    const cwd = folder()
    const { code, out, err } = await runCommand(cwd, 'conformance', ...args, '--allow-writes')
    expect([code, out]).toEqual([2, ''])
    expect(err).toMatch(wanted)
    expect(err).not.toContain('s3cret')
    expect(readdirSync(cwd)).toEqual([])
  })

  it.each([
    ['to check against', [url], { verdict: null }],
    ['of a journal', ['--cleanup', 'journal.jsonl'], { removed: null, left: null }],
  ])('--json prints one document with the errors of the spec %s', async (_, args, expected) => {
    const cwd = folder()
    writeFileSync(join(cwd, 'broken.yaml'), 'specwright: 2\n')
    writeFileSync(join(cwd, 'journal.jsonl'), `${JSON.stringify({ journal: 1, url, spec: 'broken.yaml' })}\n`)
    const broken = ['conformance', ...args, '--spec', 'broken.yaml']
    const { code, out, err } = await runCommand(cwd, ...broken, '--json')
    expect([code, err]).toEqual([2, ''])
    const diagnostic = { severity: 'error', file: 'broken.yaml', line: 1, column: 13 }
    expect(JSON.parse(out)).toMatchObject({
      ...expected,
      diagnostics: expect.arrayContaining([expect.objectContaining(diagnostic)]),
    })
    const inWords = await runCommand(cwd, ...broken)
    expect([inWords.code, inWords.out]).toEqual([2, ''])
    expect(inWords.err).toContain('broken.yaml:1:13 error ')
  })
})
