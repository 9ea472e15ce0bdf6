import type { Service } from '../../../spec/language/index.js'
import { buildTypeTable } from '../../../spec/language/table/type-table.js'
import { answer } from './answer.js'
import type { Behaviour } from './behaviour.js'
import { correctBehaviour } from './correct-behaviour.js'
import { toResponse } from './reply/to-response.js'
import type { Data } from './world/data.js'
import { buildWorld, type World } from './world/world.js'

export interface MutantServiceOptions {
  readonly service: Service
  readonly data: Data
  /** Default: all as the spec says. */
  readonly behaviour?: Behaviour
  /** The credential that is accepted. Default: `mutant-token`. */
  readonly token?: string
  /** Called before each request: what others do to the data meanwhile. */
  readonly before?: (world: World, number: number) => void
  /** The world that a request sees. Default: the present one. */
  readonly sees?: (world: World, request: Request, number: number) => World
}

/**
 * A service in this process that answers as its spec says, over arrays: what the judge itself is tried on. Each call makes
 * one with data of its own.
 */
export function createMutantService(options: MutantServiceOptions): (request: Request) => Promise<Response> {
  const { service, before = () => {}, sees = world => world, token = 'mutant-token' } = options
  const world = buildWorld(service, options.data)
  const types = buildTypeTable(service)
  const behaviour = options.behaviour ?? correctBehaviour(service)
  let number = 0
  return async request => {
    number++
    before(world, number)
    const { reply, isBodyless } = await answer(request, {
      service,
      types,
      behaviour,
      world: sees(world, request, number),
      number,
      token,
    })
    return toResponse(reply, isBodyless)
  }
}
