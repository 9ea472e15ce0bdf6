import type { TypeTable } from '../../runtime/query/index.js'
import type { Endpoint, Service } from '../../spec/language/index.js'
import type { Choices } from '../choices/choices.js'
import type { Cell } from '../coverage/coverage-record.js'
import { type Harvest, isSameData, refreshHarvest } from '../discover/harvest.js'
import { createEndpointFinder, type Site, type Snapshot, siteAt, templatePattern } from '../discover/site.js'
import type { Credential } from '../http/credentials.js'
import type { TestRequest, TestResponse } from '../http/message.js'
import type { Target } from '../http/sender.js'
import type { Transport } from '../http/transport.js'
import { errorBodyOf, isStatusOf } from '../rule/response.js'
import type { PassiveRule } from '../rule/rule.js'
import type { Finding } from '../rule/verdict.js'
import { createDataVersions, createWriteClassifier } from '../session/data-versions.js'
import { type Ledger, type Listing, type ListLimit, listPages, pageLimit, type Session } from '../session/session.js'
import type { SupportRecord } from '../session/support-record.js'
import { createKnownResponses, type KnownResponse } from './known-responses.js'

/** The view that one check has of the session. It records what the check used and what its responses revealed. */
export interface CheckView {
  readonly session: Session
  /** The collections whose rows were used since the last call. */
  readonly takeReadSites: () => readonly Site[]
  /** What passive rules suspect in the responses received since the last call. */
  readonly takeSuspected: () => readonly SuspectedViolation[]
  /** The number of requests that were sent for this check alone. */
  readonly requests: () => number
  /** The responses to the reads of this view, by request, to check them again under other choices. */
  readonly responses: ReadonlyMap<string, TestResponse>
  /** The aspects of endpoints that its responses are evidence of. */
  readonly exercised: () => readonly Cell[]
  /** From now on, checks that send the same reads take the responses that this view received. */
  readonly share: () => void
}

/** Returns what is known of the response to a request. */
type Recall = (request: TestRequest) => TestResponse | undefined

/** How one check sees the service. */
interface CheckOptions {
  /** Where the check runs. Its choices are those of the scope. Absent: choices that are the same everywhere. */
  readonly site?: Site | undefined
  /** Choices to apply instead. */
  readonly choices?: Choices
  /** The number of requests that are left, for limits on long lists. Default: as the transport counts. */
  readonly requestsLeft?: number | undefined
  /** Whether the view sees at once what others record. Default: it sees what was known when it was opened. */
  readonly isShared?: boolean
  /** Responses to use instead of sending the same reads again. */
  readonly responses?: ReadonlyMap<string, TestResponse>
  /** Whether the check may use what other checks have read, as long as nothing was written since. */
  readonly mayReuse?: boolean
}

/** Reads what some later work is going to read. The first request that is not a GET ends it. */
export type PrefetchTask = (session: Session) => Promise<unknown>

/** The session that rules see, and what only the engine may do with it. */
export interface LiveSession {
  /** The view of everything that is not part of a check: discovery and learning of choices. */
  readonly shared: CheckView
  /** Opens a view for one check. Views can be used in parallel. */
  readonly openCheck: (options?: CheckOptions) => CheckView
  /** Announces a site that discovery is about to read, so that passive rules inspect its responses. */
  readonly announceSite: (site: Site) => void
  /** Sets the discovered sites and their harvests. */
  readonly setDiscovered: (sites: readonly Site[], harvests: ReadonlyMap<string, Harvest>) => void
  /**
   * Sends the reads of several tasks at the same time. Then does the work, in which the same reads take these responses
   * instead of being sent. So the work and its result are the same as without, however fast each response comes. A task
   * sees what is known now; what it asks in vain costs only requests.
   */
  readonly prefetch: <T>(tasks: readonly PrefetchTask[], work: () => Promise<T>) => Promise<T>
  /** Learns a choice. Reads that were answered before, and that nothing written since could change, are not sent again. */
  readonly learn: <T>(task: (session: Session) => Promise<T>) => Promise<T>
  /** Reads collections again. Returns whether any of them changed. */
  readonly refresh: (sites: Iterable<Site>) => Promise<boolean>
  /** Invalidates everything that rules have cached. */
  readonly invalidate: () => void
  /**
   * Returns a function to call after writes: if the run has deleted all that it created since, and changed nothing else, what
   * was read before is valid again.
   */
  readonly savepoint: () => () => void
  readonly recordVisibilityDelay: (milliseconds: number) => void
  /** The path of an address relative to the service root; absent if the address is elsewhere. */
  readonly belowRoot: (path: string) => string | undefined
}

interface LiveSessionOptions {
  readonly service: Service
  readonly types: TypeTable
  readonly target: Target
  readonly transport: Pick<Transport, 'send' | 'requestsLeft'>
  readonly choices: Choices
  readonly nearValidCredentials?: readonly Credential[]
  readonly support: SupportRecord
  readonly ledger?: Ledger | undefined
  readonly maxRows: number
  readonly excludedBugModels?: readonly string[] | undefined
  /** The aspects of endpoints that a response is evidence of. */
  readonly cellsOf?: (response: TestResponse) => readonly Cell[]
  /** Called for every response. Returns what passive rules suspect. */
  readonly inspect: (response: TestResponse, site: Site | undefined, session: Session) => readonly SuspectedViolation[]
}

/** The share of the remaining requests that one list may use. */
const requestShare = 0.25

export function createLiveSession(options: LiveSessionOptions): LiveSession {
  const { service, types, target, transport, maxRows } = options
  let sites: readonly Site[] = []
  const announced: Site[] = []
  let find = siteFinder(announced, target.root)
  const itemSite = itemSiteFinder(service, target.root)
  const harvests = new Map<string, Harvest>()
  let settleTime = 0
  const readings = createDataVersions()
  const knownResponses = createKnownResponses(readings.current)
  const writtenBy = createWriteClassifier(service, target.root)
  const reach = createHiddenForbiddenMarker(service, target.root)

  /** The number of writes, and of invalidations, after which what was read before is not valid again. */
  let permanent = 0
  const isOwnWrite = ({ testRequest: { method, path } }: TestResponse): boolean =>
    method === 'POST' || options.ledger?.hasCreated(path) === true
  const invalidate = (): void => {
    permanent++
    readings.invalidate(undefined)
  }

  const run = {}
  const prefetched = new Map<string, TestResponse>()
  const excludedBugModels = new Set(options.excludedBugModels)
  const choicesAt = (site: Site | undefined): Choices =>
    site === undefined ? options.choices : options.choices.at(site)
  const listWith = (send: Session['send'], left: number, request: TestRequest, limit: ListLimit): Promise<Listing> => {
    const pages = pageLimit(left, requestShare)
    return listPages(request, send, target.origin, { pages, rows: maxRows * 2, ...limit })
  }
  const takePrefetched = (name: string | undefined): TestResponse | undefined => {
    const response = name === undefined ? undefined : prefetched.get(name)
    if (name !== undefined) prefetched.delete(name)
    return response
  }
  const recallNothing = (): undefined => undefined
  let learningReader: Recall = recallNothing
  const recallForLearning: Recall = request => learningReader(request)
  const openCheck = ({
    site: checked,
    choices = choicesAt(checked),
    responses,
    mayReuse,
    isShared,
    requestsLeft,
  }: CheckOptions = {}): CheckView => {
    const left = requestsLeft === undefined ? transport.requestsLeft : (): number => requestsLeft
    const support = isShared === true ? options.support : options.support.snapshot()
    let readSites = new Map<string, Site>()
    let suspected: SuspectedViolation[] = []
    const received = new Map<string, TestResponse>()
    const exercised = new Map<string, Cell>()
    const recall = mayReuse === true ? knownResponses.reader() : isShared === true ? recallForLearning : recallNothing
    const toShare: KnownResponse[] = []
    let requests = 0
    const noteExercised = (response: TestResponse): void => {
      for (const cell of options.cellsOf?.(response) ?? []) exercised.set(`${cell.endpoint.name} ${cell.aspect}`, cell)
    }
    const sendUncounted = async (request: TestRequest): Promise<TestResponse> => {
      const name = request.method === 'GET' ? JSON.stringify(request) : undefined
      const known = name === undefined ? undefined : responses?.get(name)
      if (known !== undefined) return known
      const response = reach(takePrefetched(name) ?? (await transport.send(request)))
      options.ledger?.observe(response)
      const what = writtenBy(response)
      if (what.kind !== 'nothing') readings.invalidate(what.kind === 'items' ? what.type : undefined)
      if (what.kind === 'anything' || (what.kind === 'items' && !isOwnWrite(response))) permanent++
      if (name !== undefined) received.set(name, response)
      noteExercised(response)
      const site = find(response)
      const entry = knownResponses.note(response, site)
      if (entry !== undefined && isShared === true) knownResponses.add(entry)
      else if (entry !== undefined && mayReuse === true) toShare.push(entry)
      const shown = site ?? itemSite(response)
      suspected.push(...options.inspect(response, shown, shown === undefined ? session : sessionAt(shown)))
      return response
    }
    const send = async (request: TestRequest): Promise<TestResponse> => {
      const recalled = recall(request)
      if (recalled === undefined) {
        requests++
        return sendUncounted(request)
      }
      received.set(JSON.stringify(request), recalled)
      noteExercised(recalled)
      return recalled
    }
    const sessionAt = (site: Site): Session => ({ ...session, sites, choices: choices.at(site) })
    const sessionWith = (send: Session['send']): Session => ({
      run,
      service,
      types,
      get sites() {
        return sites
      },
      choices,
      nearValidCredentials: options.nearValidCredentials ?? [],
      excludedBugModels,
      support,
      ...(options.ledger === undefined ? {} : { ledger: options.ledger }),
      snapshot: (site): Snapshot | undefined => {
        readSites.set(site.id, site)
        return harvests.get(site.id)?.snapshot
      },
      send,
      list: (request, limit = {}) => listWith(send, left(), request, limit),
      requestsLeft: left,
      get forCache() {
        return forCache
      },
      visibilityDelay: () => settleTime,
      dataVersion: readings.current,
    })
    const session = sessionWith(send)
    const forCache = isShared === true ? session : sessionWith(sendUncounted)
    return {
      session,
      requests: () => requests,
      responses: received,
      exercised: () => [...exercised.values()],
      share: () => {
        for (const entry of toShare.splice(0)) knownResponses.add(entry)
      },
      takeReadSites: () => {
        const taken = [...readSites.values()]
        readSites = new Map()
        return taken
      },
      takeSuspected: () => {
        const taken = suspected
        suspected = []
        return taken
      },
    }
  }
  const shared = openCheck({ isShared: true })
  /** A session that only reads, and records nothing. */
  const prefetchSession = (): Session => {
    const sent = new Map<string, Promise<TestResponse>>()
    const recall = knownResponses.reader()
    const send: Session['send'] = async request => {
      if (request.method !== 'GET') throw new Error('Only reads are sent in advance.')
      const name = JSON.stringify(request)
      const known = sent.get(name) ?? recall(request)
      if (known !== undefined) return known
      const response = transport.send(request).then(received => {
        prefetched.set(name, received)
        return received
      })
      sent.set(name, response)
      return response
    }
    const left = transport.requestsLeft()
    const { ledger, ...others } = shared.session
    const session: Session = {
      ...others,
      run: {},
      sites,
      support: { ...options.support.snapshot(), recordAccepted: () => {}, recordRejected: () => {} },
      send,
      list: (request, limit = {}) => listWith(send, left, request, limit),
      snapshot: site => harvests.get(site.id)?.snapshot,
      get forCache() {
        return session
      },
    }
    return session
  }
  return {
    shared,
    openCheck,
    announceSite: site => {
      announced.push(site)
      find = siteFinder(announced, target.root)
    },
    setDiscovered: (known, read) => {
      sites = known
      find = siteFinder(known, target.root)
      for (const [id, harvest] of read) harvests.set(id, harvest)
    },
    prefetch: async (tasks, work) => {
      if (tasks.length > 1) {
        const session = prefetchSession()
        // The work does the same again, and meets the same failure.
        await Promise.allSettled(tasks.map(async task => task(session)))
      }
      try {
        return await work()
      } finally {
        prefetched.clear()
      }
    },
    learn: async task => {
      learningReader = knownResponses.reader()
      try {
        return await task(shared.session)
      } finally {
        learningReader = recallNothing
      }
    },
    refresh: async collections => {
      let changed = false
      for (const { id } of collections) {
        const harvest = harvests.get(id)
        if (harvest === undefined) continue
        const refreshed = await refreshHarvest(harvest, shared.session, maxRows)
        if (refreshed === undefined || !isSameData(harvest.snapshot, refreshed.snapshot)) changed = true
        if (refreshed !== undefined) harvests.set(id, refreshed)
      }
      if (changed) invalidate()
      return changed
    },
    invalidate,
    savepoint: () => {
      const [before, rollBack] = [{ permanent, pending: options.ledger?.pending() }, readings.savepoint()]
      return () => {
        if (before.permanent === permanent && before.pending === options.ledger?.pending()) rollBack()
      }
    },
    belowRoot: path => {
      if (path.startsWith(`${target.root}/`)) return path.slice(target.root.length)
      return path.startsWith('/') ? path : undefined
    },
    recordVisibilityDelay: milliseconds => {
      settleTime = Math.max(settleTime, milliseconds)
    },
  }
}

/** Finds the site of a response by method and path. */
function siteFinder(sites: readonly Site[], root: string): (response: TestResponse) => Site | undefined {
  const pathOf = pathFinder(root)
  const byPath = new Map(sites.map(site => [`${site.endpoint.method} ${site.path}`, site]))
  return ({ request }) => byPath.get(`${request.method === 'HEAD' ? 'GET' : request.method} ${pathOf(request)}`)
}

/** Finds the site of an item that discovery did not keep. Keys in parentheses are literals, which are not read back. */
function itemSiteFinder(service: Service, root: string): (response: TestResponse) => Site | undefined {
  const pathOf = pathFinder(root)
  const find = createEndpointFinder(service)
  return ({ request, testRequest }) => {
    // A link to the next page or to changes is opaque: its address need not be that of an item, even if it looks like one.
    const { method } = request
    if ((method !== 'GET' && method !== 'PATCH') || !testRequest.path.startsWith('/')) return undefined
    const path = pathOf(request)
    const endpoint = find(method, path)
    return endpoint?.kind === 'item' || endpoint?.kind === 'update' ? siteAt(endpoint, path) : undefined
  }
}

/** The path of a request below the service root. */
function pathFinder(root: string): (request: Pick<TestResponse['request'], 'url'>) => string {
  const base = new URL(root).pathname.replace(/\/$/, '')
  return ({ url }) => {
    const { pathname } = new URL(url)
    return pathname.startsWith(base) ? pathname.slice(base.length) : pathname
  }
}

/**
 * Marks 404 responses that may stand for 403, if the spec allows that: those with the code of that error, and those
 * with an unknown code at an endpoint that has not returned anything yet.
 *
 * @param root address of the service, without a trailing slash
 * @returns a function that marks a response
 */
export function createHiddenForbiddenMarker(service: Service, root: string): (response: TestResponse) => TestResponse {
  const { insufficient } = service.authentication
  if (insufficient === undefined || !isStatusOf(404, insufficient)) return response => response
  const pathOf = pathFinder(root)
  const endpoints = service.endpoints.filter(mayBeDenied).map(({ method, path }) => {
    return { method, path: templatePattern(path.template) }
  })
  const reached = new Set<object>()
  const others = service.errors.filter(({ name }) => name !== insufficient.name)
  const absent = new Set<string | undefined>(others.filter(({ status }) => status === 404).map(({ code }) => code))
  const isNamed = others.every(({ code }) => code !== insufficient.code)
  return response => {
    if ((response.testRequest.credential ?? 'own') !== 'own' || response.transportError !== undefined) return response
    if (response.status >= 400 && response.status !== 404) return response
    const below = pathOf(response.request)
    const method = response.request.method === 'HEAD' ? 'GET' : response.request.method
    const asked = endpoints.filter(each => each.method === method && each.path.test(below))
    if (response.status < 400) {
      for (const endpoint of asked) reached.add(endpoint)
      return response
    }
    const code = errorBodyOf(response)?.code
    const isSaid = isNamed && code === insufficient.code
    const isNew = asked.length > 0 && !asked.some(endpoint => reached.has(endpoint))
    return isSaid || (isNew && !absent.has(code)) ? { ...response, mayHideForbidden: true } : response
  }
}

/** A navigation property without a value is 404 for every caller. */
function mayBeDenied({ kind, resolved }: Endpoint): boolean {
  return kind !== 'item' || /^(?:key|alternateKey)$/.test(resolved.at(-1)?.kind ?? '')
}

/** What a passive rule found in a response. It is not confirmed yet. */
export interface SuspectedViolation {
  readonly rule: PassiveRule
  readonly answer: TestResponse
  readonly site: Site | undefined
  readonly finding: Finding
}

/** Passes each response to all passive rules. */
interface PassiveRuleMonitor {
  readonly inspect: (response: TestResponse, site: Site | undefined, session: Session) => readonly SuspectedViolation[]
  /** How many relevant responses a rule has inspected. */
  readonly inspections: (rule: PassiveRule) => number
}

/** @param onInspected called when a rule has inspected a relevant response */
export function monitorPassiveRules(
  rules: readonly PassiveRule[],
  onInspected: (rule: PassiveRule, response: TestResponse) => void,
): PassiveRuleMonitor {
  const looks = new Map<PassiveRule, number>()
  return {
    inspect: (response, site, session) => {
      const suspected: SuspectedViolation[] = []
      if (response.transportError !== undefined) return suspected
      for (const rule of rules) {
        const finding = rule.inspect(response, site, session)
        if (finding === undefined) continue
        looks.set(rule, (looks.get(rule) ?? 0) + 1)
        onInspected(rule, response)
        if (finding !== 'seen') suspected.push({ rule, answer: response, site, finding })
      }
      return suspected
    },
    inspections: rule => looks.get(rule) ?? 0,
  }
}
