import type { EntityType } from '../../spec/language/index.js'
import type { Answer } from '../http/answer.js'
import { untold } from '../rule/untold.js'
import { memory } from '../session/memory.js'
import type { Session } from '../session/session.js'

const { recall } = memory<Answer>(answer => untold(answer) === undefined)

/** The answer to a plain `GET` of an item of a type: asked for once, as long as the data are the same. */
export function itemRead(path: string, type: EntityType | undefined, session: Session): Promise<Answer> {
  return recall(session.reading(type), path, () => session.ask({ method: 'GET', path }))
}
