import { readdirSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { runCommand } from '../testing/run-command.js'
import { temporaryFolders } from '../testing/temporary-folder.js'

const folder = temporaryFolders()
const url = 'http://127.0.0.1:1/v1.0'

describe('specwright conformance', () => {
  it.each<[string, readonly string[], RegExp]>([
    ['a rule', [url, '--only', 'no-such-rule'], /^error: No rule and no area is named "no-such-rule"/],
    ['a profile', [url, '--profile', 'none'], /^error: The spec has no profile "none"/],
    ['an address', ['nonsense'], /^error: "nonsense" is no address/],
    ['a query', [`${url}?code=s3cret`], /^error: The address holds a query \("\?…"\)/],
    ['a fragment', [`${url}#s3cret`], /^error: The address holds a fragment \("#…"\)/],
    ['a credential', ['http://me:s3cret@127.0.0.1:1/v1.0'], /^error: The address holds a credential/],
    ['a header', [url, '--header', 'X-Key s3cret'], /^error: --header is given as "Name: value"/],
    ['a token', [url, '--token', 's3cret!'], /^error: A bearer token is made of letters/],
  ])('refuses %s that cannot be used, shows no secret, and leaves no journal behind', async (_, args, wanted) => {
    const cwd = folder()
    const { code, out, err } = await runCommand(cwd, 'conformance', ...args, '--allow-writes')
    expect([code, out]).toEqual([2, ''])
    expect(err).toMatch(wanted)
    expect(err).not.toContain('s3cret')
    expect(readdirSync(cwd)).toEqual([])
  })
})
