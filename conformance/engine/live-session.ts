import type { TypeTable } from '../../runtime/query/index.js'
import type { Service } from '../../spec/language/index.js'
import type { Choices } from '../choice/choices.js'
import type { Answer } from '../http/answer.js'
import type { Ask } from '../http/ask.js'
import type { Target } from '../http/target.js'
import type { Transport } from '../http/transport.js'
import type { Ledger } from '../session/ledger.js'
import { listPages } from '../session/list-pages.js'
import { pageLimit } from '../session/page-limit.js'
import type { Session } from '../session/session.js'
import type { Support } from '../session/support.js'
import { type Harvest, harvestAgain } from '../site/harvest-site.js'
import type { Site } from '../site/site.js'
import type { Snapshot } from '../site/snapshot.js'
import { isSameData } from './is-same-data.js'
import { createReach } from './reach.js'
import { createReadings } from './readings.js'
import { siteFinder } from './site-finder.js'
import { written } from './written.js'

/** The session that rules see, and what the engine alone may do with it. */
export interface LiveSession {
  readonly session: Session
  /** From now on these are the sites, and what they hold. */
  readonly found: (sites: readonly Site[], harvests: ReadonlyMap<string, Harvest>) => void
  /** Reads collections again. Whether any of them had changed. */
  readonly refresh: (sites: Iterable<Site>) => Promise<boolean>
  /** What rules start from is read anew from now on. */
  readonly forget: () => void
  /** Collections whose rows were looked at since it was last asked. */
  readonly takeLookedAt: () => readonly Site[]
  readonly siteOf: (answer: Answer) => Site | undefined
  readonly settlesWithin: (milliseconds: number) => void
  /** The path of an address below the service's root; absent when it leads elsewhere. */
  readonly belowRoot: (path: string) => string | undefined
}

export interface LiveSessionOptions {
  readonly service: Service
  readonly types: TypeTable
  readonly target: Target
  readonly transport: Pick<Transport, 'send' | 'left'>
  readonly choices: Choices
  readonly support: Support
  readonly ledger?: Ledger | undefined
  readonly maxRows: number
  readonly planWithout?: readonly string[] | undefined
  /** Told of every answer. */
  readonly onAnswer: (answer: Answer) => void
}

/** Of the requests that are left, the share that the pages of one list may take. */
const shareEach = 0.25

export function createLiveSession(options: LiveSessionOptions): LiveSession {
  const { service, types, target, transport, maxRows } = options
  let sites: readonly Site[] = []
  let find = siteFinder([], target.root)
  const harvests = new Map<string, Harvest>()
  let lookedAt = new Map<string, Site>()
  let settleTime = 0
  const readings = createReadings()
  const writtenBy = written(service, target.root)
  const reach = createReach(service, target.root)

  const ask = async (wanted: Ask): Promise<Answer> => {
    const answer = reach(await transport.send(wanted))
    const what = writtenBy(answer)
    if (what.kind !== 'nothing') readings.changed(what.kind === 'items' ? what.type : undefined)
    options.onAnswer(answer)
    return answer
  }
  const session: Session = {
    service,
    types,
    get sites() {
      return sites
    },
    choices: options.choices,
    planWithout: new Set(options.planWithout),
    support: options.support,
    ...(options.ledger === undefined ? {} : { ledger: options.ledger }),
    snapshot: (site): Snapshot | undefined => {
      lookedAt.set(site.id, site)
      return harvests.get(site.id)?.snapshot
    },
    ask,
    list: (wanted, limit = {}) => {
      const pages = pageLimit(transport.left(), shareEach)
      return listPages(wanted, ask, target.origin, { pages, rows: maxRows * 2, ...limit })
    },
    requestsLeft: transport.left,
    settleTime: () => settleTime,
    reading: readings.of,
  }
  return {
    session,
    found: (known, read) => {
      sites = known
      find = siteFinder(known, target.root)
      for (const [id, harvest] of read) harvests.set(id, harvest)
    },
    refresh: async wanted => {
      let changed = false
      for (const { id } of wanted) {
        const harvest = harvests.get(id)
        if (harvest === undefined) continue
        const snapshot = await harvestAgain(harvest, session, maxRows)
        if (snapshot === undefined || !isSameData(harvest.snapshot, snapshot)) changed = true
        if (snapshot !== undefined) harvests.set(id, { ...harvest, snapshot })
      }
      if (changed) readings.changed(undefined)
      return changed
    },
    forget: () => readings.changed(undefined),
    takeLookedAt: () => {
      const taken = [...lookedAt.values()]
      lookedAt = new Map()
      return taken
    },
    belowRoot: path => {
      if (path.startsWith(`${target.root}/`)) return path.slice(target.root.length)
      return path.startsWith('/') ? path : undefined
    },
    siteOf: answer => find(answer),
    settlesWithin: milliseconds => {
      settleTime = Math.max(settleTime, milliseconds)
    },
  }
}
