import type { GetDocument, PostDocument } from '../document/index.js'
import type { CallEndpoint } from '../model/endpoint.js'
import { type EndpointContext, endpointCommon } from './endpoint-context.js'
import { describeTarget } from './path/describe-target.js'

/** Resolves the call of a function (GET) or an action (POST). */
export function resolveCall(
  context: EndpointContext,
  document: GetDocument | PostDocument,
  pointer: string,
  method: 'GET' | 'POST',
): CallEndpoint | undefined {
  const { resolution, resolved, path, options } = context
  const { target } = resolved
  if (target.kind !== 'operation' || (document.calls !== undefined && document.calls !== target.operation.name)) {
    const message = `"${path.template}" stands for ${describeTarget(target)}; to call "${document.calls}" it must end in that name.`
    resolution.report({ code: 'spec/calls-mismatch', message, at: `${pointer}/calls` })
    return undefined
  }
  const { operation } = target
  const right = operation.kind === 'function' ? 'GET' : 'POST'
  if (method !== right) {
    const message = `"${operation.name}" is ${operation.kind === 'function' ? 'a function' : 'an action'}; it is called by ${right}.`
    resolution.report({ code: 'spec/operation-method', message, at: pointer, on: 'key' })
    return undefined
  }
  const common = endpointCommon(context, document, pointer, { status: operation.returns ? 200 : 204 })
  const written = 'query' in document ? document.query : undefined
  const type = operation.returns?.type.kind === 'entityType' ? operation.returns.type : undefined
  const query = written === undefined ? undefined : options.use(written, common.name, `${pointer}/query`, type)
  return { ...common, kind: 'call', method, operation, ...(query === undefined ? {} : { query }) }
}
