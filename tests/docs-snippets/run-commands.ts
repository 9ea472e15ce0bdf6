import type { Fence } from './fence.js'
import { kindOf } from './kind.js'
import { openShell } from './shell.js'

/** Times, free ports and tokens differ from run to run. */
const steady = (printed: string): string =>
  printed
    .trimEnd()
    .replace(/\(\d+ ms\)/g, '(… ms)')
    .replace(/"milliseconds": \d+/g, '"milliseconds": …')
    .replace(/127\.0\.0\.1:\d+/g, '127.0.0.1:…')
    .replace(/\beyJ[\w.-]+…?/g, 'eyJ…')

/**
 * Runs the commands of a page, one block after the other in one folder, with the page's files in it.
 *
 * @returns each block as it is and as it would be if it were true: a code at the end, a text
 */
export async function runCommands(
  fences: readonly Fence[],
): Promise<readonly { readonly told: string; readonly found: string }[]> {
  const results: { told: string; found: string }[] = []
  const shell = await openShell()
  let last = ''
  try {
    for (const fence of fences) {
      const kind = kindOf(fence)
      const place = `${fence.page}:${fence.line}`
      if (kind.kind === 'file' && fence.language === 'yaml') await shell.write(kind.path, `${fence.text}\n`)
      if (kind.kind === 'commands') {
        const { exit, printed } = await shell.run(fence.text)
        results.push({
          told: `${place} exits ${kind.exit}`,
          found: `${place} exits ${exit}${exit === kind.exit ? '' : `\n${printed}`}`,
        })
        last = printed
      }
      if (kind.kind === 'serves') {
        const { exit, printed } = await shell.serve(fence.text)
        const found = exit === 0 ? 'listens, then ends' : `exits ${exit}\n${printed}`
        results.push({ told: `${place} listens, then ends`, found: `${place} ${found}` })
        last = printed
      }
      if (kind.kind === 'output') {
        results.push({ told: `${place}\n${steady(fence.text)}`, found: `${place}\n${steady(last)}` })
      }
    }
  } finally {
    await shell.remove()
  }
  return results
}
