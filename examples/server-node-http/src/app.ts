import { createServer, type Server } from 'node:http'
import { toNodeListener } from './api/runtime/server.js'
import { todoService } from './service.js'

/** A Node.js server with the service and nothing else. */
export function todoServer(token: string): Server {
  return createServer(toNodeListener(todoService(token)))
}
