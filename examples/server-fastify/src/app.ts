import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { fromNodeRequest } from './api/runtime/server.js'
import { todoService } from './service.js'

/** A Fastify app with the service at `/v1.0`, and a route of its own at `/`. */
export function todoApp(token: string): FastifyInstance {
  const service = todoService(token)
  const answer = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const { status, headers, body } = await service.handle(fromNodeRequest(request.raw, reply.raw, request.protocol))
    return reply.code(status).headers(headers).send(body)
  }
  const app = Fastify({
    // A URL with invalid encoding reaches no route. Below the root of the service, the service answers it.
    frameworkErrors: (error, request: FastifyRequest, reply: FastifyReply) => {
      if (request.url.startsWith('/v1.0/')) void answer(request, reply)
      else reply.send(error)
    },
  })
  app.register(async scope => {
    // The service reads and validates bodies itself, so in this scope Fastify must not parse them.
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', (_request, _body, done) => done(null))
    scope.all('/v1.0/*', answer)
  })
  app.get('/', () => 'The to-do list is at /v1.0/tasks.')
  return app
}
