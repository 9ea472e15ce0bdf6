import express, { type Express } from 'express'
import { toNodeListener } from './api/runtime/server.js'
import { todoService } from './service.js'

/** An app of Express that answers with the service below `/v1.0`, and with routes of its own elsewhere. */
export function todoApp(token: string): Express {
  const app = express()
  app.use('/v1.0', toNodeListener(todoService(token)))
  // Behind the service, which reads bodies itself and says in its own words what is wrong with them.
  app.use(express.json())
  app.get('/', (_request, response) => void response.send('The to-do list is at /v1.0/tasks.'))
  return app
}
