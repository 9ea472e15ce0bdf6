import { Hono } from 'hono'
import { cors } from 'hono/cors'
import { todoService } from './service.js'

/** An app of Hono that answers with the service below `/v1.0`, and with routes of its own elsewhere. */
export function todoApp(token: string): Hono {
  const service = todoService(token)
  const app = new Hono()
  const fromPages = cors({ origin: 'https://todo.example', exposeHeaders: ['ETag', 'Location'] })
  // cors() answers every OPTIONS: what is no question of a browser's goes on to the service, which tells what is allowed.
  app.use('/v1.0/*', (context, next) =>
    context.req.method === 'OPTIONS' && context.req.header('access-control-request-method') === undefined
      ? next()
      : fromPages(context, next),
  )
  app.get('/', context => context.text('The to-do list is at /v1.0/tasks.'))
  app.all('/v1.0/*', context => service(context.req.raw))
  return app
}
