import { randomBytes } from 'node:crypto'
import {
  type EntityRecord,
  firstAuthenticated,
  fixedTokenAuthentication,
  jwtAuthentication,
  minSecretBytes,
  mintToken,
  type ReferenceService,
  readData,
} from '../../reference/index.js'
import type { Authenticate, Principal } from '../../runtime/server/index.js'
import { derivesFrom, type EntityType, type Service } from '../../spec/language/index.js'
import { UsageError } from '../output.js'
import type { ServeFlags } from './flags.js'

/** The callers, and how they authenticate. */
export interface Identity {
  readonly authenticate: Authenticate
  /** A token that was created for this run. */
  readonly generatedToken?: string
}

/** Lifetime of a created token, in seconds. */
const lifetime = 30 * 86_400

/**
 * How callers authenticate: with a fixed token, with JSON Web Tokens, or by default with a token that is created now.
 * Undefined for a service without authentication.
 *
 * @param id the principal of the fixed or created token; undefined for nobody in the data
 */
export async function resolveIdentity(
  service: Service,
  flags: ServeFlags,
  id: string | undefined,
): Promise<Identity | undefined> {
  if (service.authentication.scheme === 'none') return undefined
  const { token, secret, jwks, issuer, audience } = flags
  if (secret !== undefined && Buffer.byteLength(secret) < minSecretBytes) {
    throw new UsageError(
      `A secret for HS256 needs at least ${minSecretBytes} bytes. This one is shorter, so it could be guessed.`,
    )
  }
  // A token must have a subject, even if no path depends on the caller.
  const everything: Principal = { id: id ?? 'nobody', scopes: service.authentication.scopes.map(({ name }) => name) }
  const rules = { ...(issuer === undefined ? {} : { issuer }), ...(audience === undefined ? {} : { audience }) }
  const ways: Authenticate[] = []
  if (token !== undefined) ways.push(fixedTokenAuthentication(token, everything))
  if (secret !== undefined) ways.push(jwtAuthentication({ ...rules, key: { kind: 'secret', secret } }))
  if (jwks !== undefined) ways.push(jwtAuthentication({ ...rules, key: { kind: 'jwks', url: jwks } }))
  const [only] = ways
  if (only !== undefined) return { authenticate: ways.length === 1 ? only : firstAuthenticated(ways) }

  const own = randomBytes(32).toString('base64url')
  const generatedToken = await mintToken(everything, own, lifetime, Date.now())
  return { authenticate: jwtAuthentication({ key: { kind: 'secret', secret: own } }), generatedToken }
}

/**
 * The key of the first item in the data that can be a principal: its type is that of the caller's singleton. Undefined
 * if there is none.
 */
export async function firstPrincipal(path: string, service: Service): Promise<string | undefined> {
  const type = principalSingleton(service)?.type
  if (type === undefined) return undefined
  for await (const record of readData(path, service)) {
    if (isOf(record, type, service)) return String(record.properties[type.key[0]?.name ?? ''])
  }
  return undefined
}

/** The singleton that is the item of the caller. */
export function principalSingleton({ container }: Service): Service['container'][number] | undefined {
  return container.find(element => element.kind === 'singleton' && element.principal)
}

function isOf(record: EntityRecord, type: EntityType, service: Service): boolean {
  const own = service.entityTypes.find(({ name }) => name === record.type)
  return own !== undefined && derivesFrom(own, type)
}

/** Whether the store has the item of a token's caller; undefined if no path leads to it. */
export async function principalExists(
  { fetch, service, table }: Pick<ReferenceService, 'fetch' | 'service' | 'table'>,
  token: string,
): Promise<boolean | undefined> {
  const singleton = principalSingleton(service)
  if (singleton === undefined) return undefined
  const path = `/${singleton.name}`
  const isRead = service.endpoints.some(({ method, path: { template } }) => method === 'GET' && template === path)
  if (!isRead) return undefined
  const request = new Request(`http://localhost/${table.version}${path}`, {
    headers: { authorization: `Bearer ${token}` },
  })
  const { status } = await fetch(request)
  return status === 404 ? false : status === 200 ? true : undefined
}
