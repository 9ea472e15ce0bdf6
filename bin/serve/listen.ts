import type { Answering } from '../../reference/operation/answering.js'
import { type HttpOptions, type HttpServer, serveHttp } from '../../reference/operation/serve-http.js'
import { UsageError } from '../usage-error.js'

/** Starts to accept requests. @throws UsageError when the port or host cannot be had */
export async function listen(answer: Answering, options: HttpOptions): Promise<HttpServer> {
  try {
    return await serveHttp(answer, options)
  } catch (error) {
    const why = reasonOf(error, options)
    if (why === undefined) throw error
    throw new UsageError(why)
  }
}

function reasonOf(error: unknown, { host, port }: HttpOptions): string | undefined {
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
