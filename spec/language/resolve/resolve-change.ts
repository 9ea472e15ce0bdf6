import type { DeleteDocument, PatchDocument } from '../document/index.js'
import type { DeleteEndpoint, UpdateEndpoint } from '../model/endpoint.js'
import type { Support } from '../model/query-capabilities.js'
import type { ErrorDefinition } from '../model/service.js'
import type { EntityType } from '../model/types.js'
import { changedType, conditionSupport, type EndpointContext, endpointCommon } from './endpoint-context.js'
import { describeTarget } from './path/describe-target.js'

/** Resolves a partial change (PATCH). */
export function resolvePatch(
  context: EndpointContext,
  document: PatchDocument,
  pointer: string,
): UpdateEndpoint | undefined {
  const changed = changedItem(context, document.updates, document.ifMatch, pointer, 'updates')
  if (changed === undefined) return undefined
  const { type, ifMatch, errors } = changed
  const common = endpointCommon(context, document, pointer, { verb: 'update', status: 200, errors })
  return { ...common, kind: 'update', method: 'PATCH', type, ifMatch }
}

/** Resolves a replacement (PUT). */
export function resolvePut(
  context: EndpointContext,
  document: PatchDocument,
  pointer: string,
): UpdateEndpoint | undefined {
  const changed = changedItem(context, document.updates, document.ifMatch, pointer, 'updates')
  if (changed === undefined) return undefined
  const { type, ifMatch, errors } = changed
  const common = endpointCommon(context, document, pointer, { verb: 'replace', status: 200, errors })
  return { ...common, kind: 'replace', method: 'PUT', type, ifMatch }
}

/** Resolves a removal (DELETE). */
export function resolveDelete(
  context: EndpointContext,
  document: DeleteDocument,
  pointer: string,
): DeleteEndpoint | undefined {
  const changed = changedItem(context, document.deletes, document.ifMatch, pointer, 'deletes')
  if (changed === undefined) return undefined
  const { type, ifMatch, errors } = changed
  const common = endpointCommon(context, document, pointer, { verb: 'delete', status: 204, errors })
  return { ...common, kind: 'delete', method: 'DELETE', type, ifMatch }
}

interface ChangedItem {
  readonly type: EntityType
  readonly ifMatch: Support
  readonly errors: readonly ErrorDefinition[]
}

function changedItem(
  context: EndpointContext,
  name: string,
  word: PatchDocument['ifMatch'],
  pointer: string,
  key: 'updates' | 'deletes',
): ChangedItem | undefined {
  const { resolution, resolved, path } = context
  const { target } = resolved
  if (target.kind !== 'item') {
    const message = `"${path.template}" stands for ${describeTarget(target)}; only one item can be changed or removed.`
    resolution.report({ code: 'spec/method-mismatch', message, at: pointer, on: 'key' })
    return undefined
  }
  const type = changedType(context, name, `${pointer}/${key}`, target.type)
  if (type === undefined) return undefined
  const ifMatch = conditionSupport(word, type)
  return { type, ifMatch, errors: ifMatch === 'none' ? [] : [context.errors.faults.preconditionFailed] }
}
