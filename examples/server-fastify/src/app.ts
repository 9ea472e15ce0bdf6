import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { nodeIncoming } from './api/runtime/server.js'
import { todoService } from './service.js'

/** An app of Fastify that answers with the service below `/v1.0`, and with routes of its own elsewhere. */
export function todoApp(token: string): FastifyInstance {
  const service = todoService(token)
  const answer = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const { status, headers, body } = await service.answer(nodeIncoming(request.raw, reply.raw, request.protocol))
    return reply.code(status).headers(headers).send(body)
  }
  const app = Fastify({
    // An address whose encoding is broken reaches no route: below the service's root it is the service's to refuse.
    frameworkErrors: (error, request: FastifyRequest, reply: FastifyReply) => {
      if (request.url.startsWith('/v1.0/')) void answer(request, reply)
      else reply.send(error)
    },
  })
  app.register(async scope => {
    // The service reads bodies itself, and refuses those that it does not take: here alone, Fastify must not.
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', (_request, _body, done) => done(null))
    scope.all('/v1.0/*', answer)
  })
  app.get('/', () => 'The to-do list is at /v1.0/tasks.')
  return app
}
