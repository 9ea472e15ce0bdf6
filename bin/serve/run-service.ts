import { existsSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { resolve } from 'node:path'
import {
  createMetrics,
  errorLine,
  type HttpHandler,
  type HttpOptions,
  type HttpServer,
  type Metrics,
  type Page,
  type ProcessUsage,
  type ReferenceService,
  serveHttp,
  serverErrorLine,
  standardRoutes,
  withCors,
  withLog,
  withPage,
  withRateLimit,
  withRefusedOrigins,
} from '../../reference/index.js'
import { type OpenTelemetryApi, openTelemetry, type Telemetry } from '../../runtime/server/index.js'
import { buildServiceTable, type Service } from '../../spec/language/index.js'
import { displayPath, isOutOfFileDescriptors, pluralize, UsageError } from '../output.js'
import { progressLine, type Terminal } from '../terminal.js'
import { defaultWorkers, type ServeFlags } from './flags.js'
import { loadHandlers } from './handlers.js'
import { firstPrincipal, principalExists, principalSingleton, resolveIdentity } from './identity.js'
import { createPage, pageUrl } from './page.js'
import { LoadInterrupted, loadData, openReference } from './store.js'

export interface ServeOptions {
  readonly service: Service
  readonly spec: string
  readonly flags: ServeFlags
  /** Resolves when the user asks the process to stop. */
  readonly stopped: Promise<void>
}

const inMemory = 'sqlite::memory:'

/** Opens the store, loads data if it is empty, serves until stopped, and closes everything. */
export async function runService(terminal: Terminal, { service, spec, flags, stopped }: ServeOptions): Promise<void> {
  const { store = inMemory, throttle } = flags
  const format = flags.log ?? (terminal.colour.err ? 'pretty' : 'json')
  const data = dataFileOf(spec, flags.data, terminal.cwd)
  const principal = flags.principal ?? (data === undefined ? undefined : await firstPrincipal(data, service))
  const identity = await resolveIdentity(service, flags, principal)
  let server: HttpServer | undefined
  const limited =
    throttle === undefined
      ? identity?.authenticate
      : withRateLimit(identity?.authenticate, { rate: throttle, now: terminal.now })
  const probe = async (): Promise<boolean | 'degraded'> => {
    await reference.check()
    if (server?.isStopping() === true) return false
    return reference.isDegraded() ? 'degraded' : true
  }
  const table = buildServiceTable(service)
  const own = flags.handlers === undefined ? {} : await loadHandlers(flags.handlers, terminal.cwd, service, table)
  const extraRoutes = standardRoutes(table, metadataOf(service), probe)
  const telemetry = await findTelemetry()
  const reference = await openReference({
    spec: service,
    limits: flags.limit ?? {},
    store,
    ...(flags.readStore === undefined ? {} : { readStore: flags.readStore }),
    extraRoutes,
    onError: (error, head, requestId) => {
      telemetry?.failed(error)
      terminal.err(errorLine(format === 'json' ? 'json' : 'pretty', new Date(), head, error, requestId))
    },
    ...(limited && {
      // A request before it listens does not come from a caller.
      authenticate: request => (server === undefined ? identity?.authenticate : limited)?.(request),
    }),
    ...own,
    workers: flags.workers ?? defaultWorkers(availableParallelism()),
    ...(flags.publicUrl === undefined ? {} : { publicUrl: flags.publicUrl }),
    ...(flags.statementTimeout === undefined ? {} : { statementTimeout: flags.statementTimeout * 1000 }),
  })
  try {
    const note = (line: string): void => (flags.json ? undefined : terminal.message(line))
    let loaded: number | undefined
    if (store === inMemory) note('store      in memory, lost at the end. To keep it: --store sqlite:FILE')
    if (data !== undefined) {
      loaded = await loadData(reference, data, stopped, progressLine(terminal))
      const name = displayPath(terminal.cwd, data)
      note(
        loaded === undefined
          ? 'data       the store has data, so nothing was loaded'
          : `data       ${pluralize(loaded, 'item')} from ${name}`,
      )
    }
    const caller = flags.json
      ? undefined
      : await callerOf(identity?.generatedToken ?? flags.token, principal, reference)
    const page = createPage(service, flags)
    const paths = [...extraRoutes.map(({ path }) => path), ...(page?.assets.keys() ?? [])]
    const metrics = flags.metrics && metricsOf(terminal, reference, paths)
    const answer = answering(reference.fetch.handle, terminal, flags, format, page, telemetry)
    const measured = metrics?.measure(answer) ?? answer
    const observed = { table: reference.table, root: `/${service.version}`, paths }
    server = await listen(telemetry?.measure(measured, observed) ?? measured, {
      host: flags.host,
      port: flags.port,
      knownHosts: knownHostsOf(flags),
      urlLimit: reference.table.limits.url,
      limits: flags.limit ?? {},
      onError: acceptErrors(terminal, format === 'json' ? 'json' : 'pretty'),
      ...(metrics && { onRefuse: metrics.countRefused }),
    })
    const address = `${server.origin}/${service.version}`
    const shown = page === undefined ? undefined : pageUrl(server.origin, flags, identity, terminal)
    if (flags.json) {
      const token = identity?.generatedToken
      terminal.out(JSON.stringify({ listening: address, page: shown, token, principal, loaded }))
    } else {
      if (caller !== undefined) terminal.err(`principal  ${caller}`)
      if (identity?.generatedToken !== undefined) terminal.err(`token      ${identity.generatedToken}`)
      if (shown !== undefined) terminal.err(`page       ${shown}`)
      terminal.out(`listening ${address}`)
    }
    await stopped
    await server.stop()
  } catch (error) {
    if (!(error instanceof LoadInterrupted)) throw error
  } finally {
    await reference.close()
  }
}

/** Milliseconds between two lines about connections that were not accepted. There can be thousands in a second. */
const acceptErrorInterval = 10_000

/** Logs that connections could not be accepted. The service goes on. */
function acceptErrors(terminal: Terminal, format: 'json' | 'pretty'): (error: Error) => void {
  let next = Number.NEGATIVE_INFINITY
  return error => {
    const now = terminal.now()
    if (now < next) return
    next = now + acceptErrorInterval
    const advice = isOutOfFileDescriptors(error)
      ? 'The process has no file descriptor left. Raise the limit with ulimit -n, or lower it with --limit connections=N.'
      : 'Connections could not be accepted.'
    terminal.err(serverErrorLine(format, new Date(), `${advice} (${error.message})`))
  }
}

function answering(
  answer: HttpHandler,
  terminal: Terminal,
  { cors }: ServeFlags,
  format: 'json' | 'pretty' | 'off',
  page: Page | undefined,
  telemetry: Telemetry | undefined,
): HttpHandler {
  const shared = cors === undefined ? answer : withCors(answer, cors)
  const paged = page === undefined ? shared : withPage(shared, page)
  if (format === 'off') return paged
  const whole = withRefusedOrigins(paged, cors ?? [], origin => {
    const message = `A page of ${origin} may not call this service. To allow it: --cors ${origin}`
    terminal.err(
      format === 'json' ? JSON.stringify({ time: new Date().toISOString(), level: 'warn', message }) : message,
    )
  })
  const traced = telemetry === undefined ? {} : { traceId: telemetry.traceId }
  return withLog(whole, { format, write: terminal.err, now: terminal.now, date: () => new Date(), ...traced })
}

function metricsOf({ now }: Terminal, { table }: ReferenceService, paths: readonly string[]): Metrics {
  return createMetrics({ table, root: `/${table.version}`, paths, now, usage: processUsage })
}

function processUsage(): ProcessUsage {
  const { rss, heapUsed } = process.memoryUsage()
  const { user, system } = process.cpuUsage()
  return {
    startTime: performance.timeOrigin / 1000,
    cpuSeconds: (user + system) / 1_000_000,
    residentBytes: rss,
    heapBytes: heapUsed,
  }
}

/** The names of the service that its flags give. */
function knownHostsOf({ publicUrl, allowedHost = [] }: ServeFlags): readonly string[] {
  return publicUrl === undefined ? allowedHost : [...allowedHost, new URL(publicUrl).host]
}

/** The principal of a token, for display. Undefined without a token, or when nothing depends on the principal. */
async function callerOf(
  token: string | undefined,
  principal: string | undefined,
  reference: ReferenceService,
): Promise<string | undefined> {
  if (token === undefined) return undefined
  if (principal === undefined) {
    const isNeeded = principalSingleton(reference.service) !== undefined
    return isNeeded ? 'nobody: the data has no principal. Name one with --principal ID' : undefined
  }
  const isAbsent = (await principalExists(reference, token)) === false
  return isAbsent ? `${principal}, who is not in the store. Name one who is with --principal ID` : principal
}

/** The metadata document, created at the first request for it. */
function metadataOf(service: Service) {
  return {
    xml: async () => (await import('../../generator/index.js')).emitCsdlXml(service),
    json: async () => (await import('../../generator/index.js')).emitCsdlJson(service),
  }
}

/** Starts to accept requests. @throws UsageError when the port or host is not available */
async function listen(answer: HttpHandler, options: HttpOptions): Promise<HttpServer> {
  try {
    return await serveHttp(answer, options)
  } catch (error) {
    const why = listenErrorText(error, options)
    if (why === undefined) throw error
    throw new UsageError(why)
  }
}

function listenErrorText(error: unknown, { host, port }: HttpOptions): string | undefined {
  switch (error instanceof Error && 'code' in error ? error.code : undefined) {
    case 'EADDRINUSE':
      return `Port ${port} of ${host} is in use. Stop what listens there, or choose another: --port 0 takes any that is free.`
    case 'EACCES':
      return `Port ${port} may not be used by this user. Choose one from 1024 on.`
    case 'EADDRNOTAVAIL':
      return `${host} is no address of this machine. Leave --host out, or use 0.0.0.0 for all addresses.`
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `The host ${host} was not found.`
    default:
      return undefined
  }
}

/** The package, not as a literal: without it, neither the compiler nor a bundler may look for it. */
const packageName: string = '@opentelemetry/api'

/** Telemetry through `@opentelemetry/api`, if it is installed. It records nothing until the process registers an SDK. */
export async function findTelemetry(
  load: () => Promise<unknown> = () => import(packageName),
): Promise<Telemetry | undefined> {
  try {
    const api = await load()
    return isOpenTelemetryApi(api) ? openTelemetry(api) : undefined
  } catch (error) {
    // The second code is that of Plug'n'Play, the default of newer versions of Yarn.
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if (code === 'ERR_MODULE_NOT_FOUND' || code === 'MODULE_NOT_FOUND') return undefined
    throw error
  }
}

/** Whether a module has the functions that are used. The first versions of the package had no metrics. */
function isOpenTelemetryApi(module: unknown): module is OpenTelemetryApi {
  const functions = [
    ...[
      ['trace', 'getTracer'],
      ['trace', 'setSpan'],
      ['trace', 'getActiveSpan'],
      ['metrics', 'getMeter'],
    ],
    ...[
      ['context', 'active'],
      ['context', 'with'],
      ['propagation', 'extract'],
    ],
  ] as const
  return functions.every(([part = '', name = '']) => {
    const found: unknown = typeof module === 'object' && module !== null ? Reflect.get(module, part) : undefined
    return typeof found === 'object' && found !== null && typeof Reflect.get(found, name) === 'function'
  })
}

const endings = ['.data.yaml', '.data.json', '.data.jsonl']

/**
 * The data of a spec: the file that `--data` names, or the file beside the spec with its name, `service.data.yaml`.
 * Undefined if there is none.
 */
function dataFileOf(spec: string, given: string | undefined, cwd: string): string | undefined {
  if (given === 'none') return undefined
  if (given !== undefined) return resolve(cwd, given)
  const stem = resolve(cwd, spec).replace(/\.ya?ml$/i, '')
  return endings.map(ending => stem + ending).find(path => existsSync(path))
}
