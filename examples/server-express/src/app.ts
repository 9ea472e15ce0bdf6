import express, { type Express } from 'express'
import { toNodeListener } from './api/runtime/server.js'
import { todoService } from './service.js'

/** An Express app with the service at `/v1.0`, and a route of its own at `/`. */
export function todoApp(token: string): Express {
  const app = express()
  app.use('/v1.0', toNodeListener(todoService(token)))
  // After the service, which reads and validates bodies itself.
  app.use(express.json())
  app.get('/', (_request, response) => void response.send('The to-do list is at /v1.0/tasks.'))
  return app
}
