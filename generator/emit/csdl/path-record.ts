import type { Endpoint, Path } from '../../../spec/language/model/index.js'
import { collectionOf, recordOf, someOf } from './annotation-value.js'
import type { AnnotationValue } from './csdl-document.js'
import { resourcePath } from './resource-path.js'
import { saidMembers } from './said.js'

/** A path with its endpoints. `Resource` is there when the template does not say by itself what it stands for. */
export function pathRecord(path: Path): AnnotationValue {
  const resource = path.endpoints[0] === undefined ? undefined : resourcePath(path.endpoints[0].resolved)
  return recordOf([
    ['Template', path.template],
    ['Resource', resource === path.template.slice(1) ? undefined : resource],
    ['Endpoints', collectionOf(path.endpoints.map(endpointRecord))],
    ...saidMembers(path),
  ])
}

function endpointRecord(endpoint: Endpoint): AnnotationValue {
  return recordOf([
    ['Name', endpoint.name],
    ['Method', endpoint.method],
    ['Kind', endpoint.kind],
    ['Type', endpoint.kind === 'call' ? undefined : endpoint.type.name],
    ['Calls', endpoint.kind === 'call' ? endpoint.operation.name : undefined],
    ['Query', 'query' in endpoint ? endpoint.query?.name : undefined],
    ['Support', endpoint.support],
    ['Status', endpoint.status],
    ['IfMatch', 'ifMatch' in endpoint ? endpoint.ifMatch : undefined],
    ['IfNoneMatch', 'ifNoneMatch' in endpoint ? endpoint.ifNoneMatch : undefined],
    ['Absent', 'absent' in endpoint ? endpoint.absent : undefined],
    ['Scopes', someOf(endpoint.scopes)],
    ['Errors', someOf(endpoint.errors.map(({ name }) => name))],
    ['Prefer', someOf(endpoint.preferences.map(({ id }) => id))],
    ...saidMembers(endpoint),
  ])
}
