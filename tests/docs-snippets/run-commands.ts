import { applyChange } from './apply-change.js'
import { isElided } from './elided.js'
import type { Fence } from './fence.js'
import { freePort } from './free-port.js'
import { kindOf } from './kind.js'
import { openShell } from './shell.js'

/** A block as it is, and as it would be if it were true: a code at the end, a text. */
export interface Held {
  readonly told: string
  readonly found: string
}

/** Times, free ports and tokens differ from run to run. */
const steady = (printed: string): string =>
  printed
    .trimEnd()
    .replace(/\(\d+ ms\)/g, '(… ms)')
    .replace(/"milliseconds": \d+/g, '"milliseconds": …')
    .replace(/127\.0\.0\.1:\d+/g, '127.0.0.1:…')
    .replace(/\beyJ[\w.-]+…?/g, 'eyJ…')

/** The port that pages name where something is to go on serving. */
const toldPort = '8080'

/** Runs the commands of a page, one block after the other in one folder, with the page's files in it. */
export async function runCommands(fences: readonly Fence[]): Promise<readonly Held[]> {
  const results: Held[] = []
  const hold = (place: string, told: string, found: string): void =>
    void results.push({ told: `${place} ${told}`, found: `${place} ${found}` })
  const shell = await openShell()
  const staysUp = fences.some(fence => kindOf(fence).kind === 'serves on')
  const port = staysUp ? String(await freePort()) : toldPort
  const ours = (text: string): string => text.replaceAll(toldPort, port)
  const theirs = (text: string): string => text.replaceAll(port, toldPort)
  let last = ''
  try {
    for (const fence of fences) {
      const kind = kindOf(fence)
      const place = `${fence.page}:${fence.line}`
      const text = ours(fence.text)
      switch (kind.kind) {
        case 'file':
          if (fence.language === 'yaml') await shell.write(kind.path, `${text}\n`)
          break
        case 'writes':
          await shell.write(kind.path, `${text}\n`)
          break
        case 'changes':
          await shell.write(kind.path, applyChange(await shell.read(kind.path), text))
          break
        case 'commands': {
          const { exit, printed } = await shell.run(text)
          hold(place, `exits ${kind.exit}`, `exits ${exit}${exit === kind.exit ? '' : `\n${printed}`}`)
          last = theirs(printed)
          break
        }
        case 'serves': {
          const { exit, printed } = await shell.serve(fence.text)
          hold(place, 'listens, then ends', exit === 0 ? 'listens, then ends' : `exits ${exit}\n${printed}`)
          last = printed
          break
        }
        case 'serves on': {
          const failure = await shell.serveOn(text)
          hold(place, 'listens', failure ?? 'listens')
          break
        }
        case 'output': {
          const [told, found] = [steady(fence.text), steady(last)]
          hold(place, told, kind.elided && isElided(told, found) ? told : found)
          break
        }
        default:
          break
      }
    }
  } finally {
    await shell.remove()
  }
  return results
}
