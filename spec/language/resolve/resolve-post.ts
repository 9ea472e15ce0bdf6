import type { PostDocument } from '../document/index.js'
import type { Endpoint } from '../model/endpoint.js'
import { changedType, type EndpointContext, endpointCommon } from './endpoint-context.js'
import { describeTarget } from './path/describe-target.js'
import { resolveCall } from './resolve-call.js'

/** Resolves a create, or the call of an action. */
export function resolvePost(context: EndpointContext, document: PostDocument, pointer: string): Endpoint | undefined {
  const { resolution, resolved, path, errors } = context
  const { target } = resolved
  if (document.creates !== undefined && document.calls !== undefined) {
    const message = 'A POST either `creates` an item or `calls` an action; remove one of the two.'
    resolution.report({ code: 'spec/creates-and-calls', message, at: `${pointer}/calls`, on: 'key' })
    return undefined
  }
  if (document.calls !== undefined || (target.kind === 'operation' && document.creates === undefined)) {
    return resolveCall(context, document, pointer, 'POST')
  }
  if (target.kind !== 'items') {
    const message = `"${path.template}" stands for ${describeTarget(target)}; items are created in a collection.`
    resolution.report({ code: 'spec/method-mismatch', message, at: pointer, on: 'key' })
    return undefined
  }
  const type = changedType(context, document.creates, `${pointer}/creates`, target.type)
  if (type === undefined) return undefined
  const mayClash = type.properties.some(property => property.unique) || type.key.some(property => !property.computed)
  const conflict = mayClash ? [errors.faults.conflict] : []
  const common = endpointCommon(context, document, pointer, { verb: 'create', status: 201, errors: conflict })
  return { ...common, kind: 'create', method: 'POST', type }
}
