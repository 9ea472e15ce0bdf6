import type { ReferenceService } from '../../reference/index.js'
import { principalSingleton } from './first-principal.js'

/** Whether the store has the item that a token's caller is; undefined where no path leads to it. */
export async function knowsPrincipal(
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
