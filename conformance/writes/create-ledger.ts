import type { Answer } from '../http/answer.js'
import type { Ask } from '../http/ask.js'
import type { Journal } from '../journal.js'
import type { Ledger } from '../session/ledger.js'
import type { Session } from '../session/session.js'
import { itemPath } from './item-path.js'

/** Items that one run creates at most. */
const mostItems = 200

/** A ledger, and what the engine alone may know of it. */
export interface OpenLedger extends Ledger {
  /** What is still there, the newest first. */
  readonly left: () => readonly { readonly number: number; readonly path: string }[]
  /** Collections to which a create was sent whose answer does not tell what became of it. */
  readonly unsure: () => readonly string[]
}

/**
 * Creates through `ask` and notes everything in the journal, before and after.
 *
 * @param wasThere whether an item was there before the run began: a service that answers a create with one of these has
 *   made nothing of ours
 */
export function createLedger(
  session: Pick<Session, 'service'>,
  ask: (ask: Ask) => Promise<Answer>,
  journal: Journal,
  mark: string,
  root: string,
  wasThere: (path: string) => boolean,
): OpenLedger {
  const items = new Map<string, number>()
  const gone = new Set<string>()
  const unsure = new Set<string>()
  let count = 0
  return {
    mark,
    create: async (site, body) => {
      const number = ++count
      journal.creating({ number, path: site.path, mark })
      const answer = await ask({ method: 'POST', path: site.path, body })
      const path = itemPath(answer, site, session, root)
      if (path === undefined || wasThere(path)) {
        if (answer.trouble === undefined && answer.status >= 400 && answer.status < 500) journal.gone({ number })
        else unsure.add(site.path)
        return { answer }
      }
      items.set(path, number)
      // A key may be given again once its item is gone.
      gone.delete(path)
      journal.created({ number, path })
      return { answer, path }
    },
    gone: path => {
      const number = items.get(path)
      if (number === undefined || gone.has(path)) return
      gone.add(path)
      journal.gone({ number })
    },
    isOurs: path => items.has(path),
    unsure: () => [...unsure],
    mayCreate: () => count < mostItems,
    left: () =>
      [...items]
        .filter(([path]) => !gone.has(path))
        .map(([path, number]) => ({ number, path }))
        .reverse(),
  }
}
