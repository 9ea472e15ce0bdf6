import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { shellPath } from './shell-path.js'
import { runCommand } from './testing/run-command.js'
import { temporaryFolders } from './testing/temporary-folder.js'

describe('a path in a command', () => {
  const temporaryFolder = temporaryFolders()

  it.each([
    ['api/todo-1.yaml', 'api/todo-1.yaml'],
    ['my spec.yaml', '"my spec.yaml"'],
    ["it's.yaml", '"it\'s.yaml"'],
    ['~/spec.yaml', '"~/spec.yaml"'],
    ['$HOME/spec.yaml', "'$HOME/spec.yaml'"],
    ["it's $5.yaml", String.raw`'it'\''s $5.yaml'`],
    ['-x.yaml', './-x.yaml'],
    ['', '""'],
  ])('%s is written %s', (path, written) => {
    expect(shellPath(path)).toBe(written)
  })

  it.skipIf(process.platform === 'win32')('is what a shell makes of it', () => {
    const character = fc.constantFrom(...' \'"$`\\!~*?;&|<>(){}[]#=%^-a/\té')
    const paths = fc.array(fc.string({ unit: character, minLength: 1, maxLength: 12 }), {
      minLength: 20,
      maxLength: 20,
    })
    fc.assert(
      fc.property(paths, given => {
        const line = `printf '%s\\n' ${given.map(shellPath).join(' ')}`
        const read = execFileSync('/bin/sh', ['-c', line], { encoding: 'utf8' }).split('\n').slice(0, -1)
        expect(read).toEqual(given.map(path => (path.startsWith('-') ? `./${path}` : path)))
      }),
      { numRuns: 20 },
    )
  })

  it('is so in what init suggests, and writes', async () => {
    const folder = temporaryFolder()
    const { out } = await runCommand(folder, 'init', 'my spec.yaml')
    expect(out).toContain('\n  npx specwright validate "my spec.yaml"\n')
    expect(out).toContain('\n  npx specwright generate "my spec.yaml" --out generated')
    const text = readFileSync(join(folder, 'my spec.yaml'), 'utf8')
    expect(text).toContain('# A service')
    expect(text).toContain('npx specwright validate "my spec.yaml" ')
    expect((await runCommand(folder, 'validate', 'my spec.yaml')).code).toBe(0)
  })

  it('is so in the advice on a spec that there is not', async () => {
    const { out } = await runCommand(temporaryFolder(), 'validate', 'my spec.yaml')
    expect(out).toContain('Start one with: specwright init "my spec.yaml"')
  })

  it('is so in the advice on a journal that is there', async () => {
    const folder = temporaryFolder()
    writeFileSync(join(folder, 'my journal'), '')
    const judged = ['http://127.0.0.1:1/v1', '--allow-writes', '--journal', 'my journal']
    expect((await runCommand(folder, 'conformance', ...judged)).err).toMatch(/with --cleanup "my journal", then/)
  })
})
