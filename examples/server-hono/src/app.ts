import { Hono } from 'hono'
import { cors } from 'hono/cors'
import { todoService } from './service.js'

/** A Hono app with the service at `/v1.0`, and a route of its own at `/`. */
export function todoApp(token: string): Hono {
  const service = todoService(token)
  const app = new Hono()
  const fromPages = cors({ origin: 'https://todo.example', exposeHeaders: ['ETag', 'Location'] })
  // cors() answers every OPTIONS request. Those that are not preflights go to the service, which returns the allowed methods.
  app.use('/v1.0/*', (context, next) =>
    context.req.method === 'OPTIONS' && context.req.header('access-control-request-method') === undefined
      ? next()
      : fromPages(context, next),
  )
  app.get('/', context => context.text('The to-do list is at /v1.0/tasks.'))
  app.all('/v1.0/*', context => service(context.req.raw))
  return app
}
