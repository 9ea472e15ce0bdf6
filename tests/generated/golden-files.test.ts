import { expect, it } from 'vitest'
import { runCommand } from '../../bin/testing/run-command.js'
import { root } from '../root.js'

/** Lines of the diff that the message shows. */
const shownLines = 60

it('the generated code of every service in specwright.yaml is up to date', async () => {
  const { code, out, err } = await runCommand(root, 'generate', '--diff')
  expect([code, err]).toEqual([0, ''])
  const lines = out.split('\n')
  const cut = lines.length > shownLines ? `\n… and ${lines.length - shownLines} lines more` : ''
  if (out !== '') expect.fail(`npm run generate would change:\n${lines.slice(0, shownLines).join('\n')}${cut}`)
})
