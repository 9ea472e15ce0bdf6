import type { Support } from '../../../../spec/language/index.js'
import type { Exchange } from '../exchange.js'
import type { Reply } from '../reply/reply.js'
import type { Entity } from '../world/entity.js'

/** What a change is answered with when its `If-Match` is missing or does not hold; absent: go on. */
export function checkCondition(row: Entity, support: Support, at: Exchange): Reply | undefined {
  const { behaviour, service } = at
  const { preconditionFailed, preconditionRequired } = service.faults
  const given = behaviour.header('If-Match', at)
  const tag = behaviour.tag(row, at)
  if (given === null) {
    return support === 'required' ? behaviour.error(preconditionRequired, preconditionRequired.message, at) : undefined
  }
  if (support === 'none' || behaviour.matches(given, tag, 'If-Match', at)) return undefined
  return behaviour.error(preconditionFailed, preconditionFailed.message, at)
}

/** Whether a header names a tag. The comparison is weak: services of this family hand out weak tags for changes, too. */
export function matchesTag(header: string, tag: string | undefined): boolean {
  if (header.trim() === '*') return true
  if (tag === undefined) return false
  return header.split(',').some(each => opaque(each.trim()) === opaque(tag))
}

function opaque(tag: string): string {
  return tag.startsWith('W/') ? tag.slice(2) : tag
}
