import type { GetDocument } from '../document/index.js'
import type { Endpoint, ReadEndpoint } from '../model/endpoint.js'
import { conditionSupport, type EndpointContext, endpointCommon } from './endpoint-context.js'
import { describeTarget } from './path/describe-target.js'
import type { PathTarget } from './path/path-walk.js'
import { resolveCall } from './resolve-call.js'

const kinds = { items: 'collection', item: 'item', count: 'count', delta: 'delta' } as const
const verbs = { collection: 'list', item: 'get', count: 'count', delta: 'delta' } as const

/** Resolves a read, or the call of a function. */
export function resolveGet(context: EndpointContext, document: GetDocument, pointer: string): Endpoint | undefined {
  const { resolution, resolved, path, errors, options } = context
  const { target } = resolved
  if (target.kind === 'operation' || document.calls !== undefined) return resolveCall(context, document, pointer, 'GET')
  if (target.kind === 'value') {
    const message = `"${path.template}" stands for ${describeTarget(target)}; only items can be read.`
    resolution.report({ code: 'spec/path-to-value', message, at: pointer, on: 'key' })
    return undefined
  }
  const kind = kinds[target.kind]
  if (document.returns !== undefined && document.returns !== kind) {
    const message = `"${path.template}" stands for ${describeTarget(target)}, so it returns \`${kind}\`, not \`${document.returns}\`.`
    resolution.report({ code: 'spec/returns-mismatch', message, at: `${pointer}/returns` })
    return undefined
  }
  const mayBeAbsent = kind === 'item' && resolved.segments.at(-1)?.kind === 'navigation'
  const common = endpointCommon(context, document, pointer, {
    verb: verbs[kind],
    status: 200,
    errors: mayBeAbsent ? [errors.faults.itemNotFound] : [],
  })
  const query =
    document.query === undefined ? undefined : options.use(document.query, common.name, `${pointer}/query`, target.type)
  return {
    ...common,
    kind,
    method: 'GET',
    type: target.type,
    ifNoneMatch: conditionSupportOf(document, target, kind),
    absent: document.absent ?? 404,
    ...(query === undefined ? {} : { query }),
  }
}

function conditionSupportOf(
  document: GetDocument,
  target: Extract<PathTarget, { readonly kind: 'items' | 'item' | 'count' | 'delta' }>,
  kind: ReadEndpoint['kind'],
): ReadEndpoint['ifNoneMatch'] {
  if (kind === 'item' || document.ifNoneMatch !== undefined) return conditionSupport(document.ifNoneMatch, target.type)
  return 'none'
}
