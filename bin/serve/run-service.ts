import type { ReferenceService } from '../../reference/index.js'
import type { Answering } from '../../reference/operation/answering.js'
import { errorLine } from '../../reference/operation/log-format.js'
import type { HttpServer } from '../../reference/operation/serve-http.js'
import { throttled } from '../../reference/operation/throttled.js'
import { withCors } from '../../reference/operation/with-cors.js'
import { withLog } from '../../reference/operation/with-log.js'
import { type Page, withPage } from '../../reference/page/with-page.js'
import { standardRoutes } from '../../reference/routes/standard-routes.js'
import type { Service } from '../../spec/language/index.js'
import { buildServiceTable } from '../../spec/language/service-table.js'
import { countOf } from '../count-of.js'
import { progressLine } from '../progress.js'
import { shownPath } from '../shown-path.js'
import type { Terminal } from '../terminal.js'
import { dataFileOf } from './data-file.js'
import { firstPrincipal, principalSingleton } from './first-principal.js'
import { identityOf } from './identity.js'
import { knowsPrincipal } from './knows-principal.js'
import { listen } from './listen.js'
import { Interrupted, loadData } from './load-data.js'
import { openReference } from './open-reference.js'
import { pageAddress } from './page-address.js'
import { pageOf } from './page-of.js'
import type { ServeFlags } from './serve-flags.js'

/** What is to be run. */
export interface Serving {
  readonly service: Service
  readonly spec: string
  readonly flags: ServeFlags
  /** Resolves when the user asks the process to stop. */
  readonly stopped: Promise<void>
}

const inMemory = 'sqlite::memory:'

/** Opens the store, loads it if it is empty, serves until told to stop, and leaves everything closed. */
export async function runService(terminal: Terminal, { service, spec, flags, stopped }: Serving): Promise<void> {
  const { store = inMemory, throttle } = flags
  const format = flags.log ?? (terminal.colour.err ? 'pretty' : 'json')
  const data = dataFileOf(spec, flags.data, terminal.cwd)
  const principal = flags.principal ?? (data === undefined ? undefined : await firstPrincipal(data, service))
  const identity = await identityOf(service, flags, principal)
  let server: HttpServer | undefined
  const limited =
    throttle === undefined
      ? identity?.authenticate
      : throttled(identity?.authenticate, { rate: throttle, now: terminal.now })
  const probe = async (): Promise<boolean> => {
    await reference.isEmpty()
    return server?.isStopping() !== true
  }
  const reference = await openReference({
    spec: service,
    store,
    extraRoutes: standardRoutes(buildServiceTable(service), metadataOf(service), probe),
    onError: (error, head) => terminal.err(errorLine(format === 'json' ? 'json' : 'pretty', new Date(), head, error)),
    ...(limited && {
      // What is asked before it listens is no caller's.
      authenticate: request => (server === undefined ? identity?.authenticate : limited)?.(request),
    }),
    ...(flags.publicUrl === undefined ? {} : { publicUrl: flags.publicUrl }),
    ...(flags.statementTimeout === undefined ? {} : { statementTimeout: flags.statementTimeout * 1000 }),
  })
  try {
    const note = (line: string): void => (flags.json ? undefined : terminal.tell(line))
    let loaded: number | undefined
    if (store === inMemory) note('store      in memory, gone when this ends; keep it with --store sqlite:FILE')
    if (data !== undefined) {
      loaded = await loadData(reference, data, stopped, progressLine(terminal))
      const name = shownPath(terminal.cwd, data)
      note(
        loaded === undefined
          ? 'data       the store has data; nothing was loaded'
          : `data       ${countOf(loaded, 'item')} from ${name}`,
      )
    }
    const caller = flags.json ? undefined : await callerOf(identity?.minted ?? flags.token, principal, reference)
    const page = pageOf(service, flags)
    server = await listen(answering(reference.fetch.answer, terminal, flags, format, page), {
      host: flags.host,
      port: flags.port,
      urlLimit: service.limits.url,
    })
    const address = `${server.origin}/${service.version}`
    const shown = page === undefined ? undefined : pageAddress(server.origin, flags, identity, terminal)
    if (flags.json) {
      const token = identity?.minted
      terminal.out(JSON.stringify({ listening: address, page: shown, token, principal, loaded }))
    } else {
      if (caller !== undefined) terminal.err(`principal  ${caller}`)
      if (identity?.minted !== undefined) terminal.err(`token      ${identity.minted}`)
      if (shown !== undefined) terminal.err(`page       ${shown}`)
      terminal.out(`listening ${address}`)
    }
    await stopped
    await server.stop()
  } catch (error) {
    if (!(error instanceof Interrupted)) throw error
  } finally {
    await reference.close()
  }
}

function answering(
  answer: Answering,
  terminal: Terminal,
  { cors }: ServeFlags,
  format: 'json' | 'pretty' | 'off',
  page: Page | undefined,
): Answering {
  const shared = cors === undefined ? answer : withCors(answer, cors)
  const whole = page === undefined ? shared : withPage(shared, page)
  if (format === 'off') return whole
  return withLog(whole, { format, write: terminal.err, now: terminal.now, date: () => new Date() })
}

/** Whom a token stands for, for people; undefined where there is no token, or nothing that depends on it. */
async function callerOf(
  token: string | undefined,
  principal: string | undefined,
  reference: ReferenceService,
): Promise<string | undefined> {
  if (token === undefined) return undefined
  if (principal === undefined) {
    const isNeeded = principalSingleton(reference.service) !== undefined
    return isNeeded ? 'nobody: the data has no one to sign in as; name one with --principal ID' : undefined
  }
  const isAbsent = (await knowsPrincipal(reference, token)) === false
  return isAbsent ? `${principal}, who is not in the store; name one who is with --principal ID` : principal
}

/** The metadata document, made when it is first asked for. */
function metadataOf(service: Service) {
  return {
    xml: async () => (await import('../../generator/emit/csdl-xml/emit-csdl-xml.js')).emitCsdlXml(service),
    json: async () => (await import('../../generator/emit/csdl-json/emit-csdl-json.js')).emitCsdlJson(service),
  }
}
