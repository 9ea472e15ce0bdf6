import type { CallEndpoint, Endpoint } from '../../../spec/language/model/index.js'
import type { EndpointNode } from '../../names/resource-node.js'
import { endpointDocs } from '../endpoint-docs.js'
import { valueTypeText } from '../types/value-type-text.js'
import type { Calls } from './calls.js'
import type { Rows } from './rows.js'
import type { ServerFile } from './server-file.js'
import type { HandlerView } from './server-view.js'

/** What handlers refer to. */
export interface HandlerContext {
  readonly file: ServerFile
  readonly calls: Calls
  readonly rows: Rows
}

/** One handler: its call and its answer. */
export function handler({ name, endpoint }: EndpointNode, context: HandlerContext): HandlerView {
  return {
    docs: endpointDocs(endpoint),
    name,
    call: context.calls.of(endpoint),
    answer: answerText(endpoint, context),
  }
}

function answerText(endpoint: Endpoint, { file, rows }: HandlerContext): string {
  switch (endpoint.kind) {
    case 'collection':
      return `${file.runtimeType('ListResult', 'server/list-result')}<${rows.textOf(endpoint.type)}>`
    case 'delta':
      return `${file.runtimeType('DeltaResult', 'server/delta-result')}<${rows.textOf(endpoint.type)}>`
    case 'count':
      return 'number'
    case 'create':
      return rows.textOf(endpoint.type)
    case 'item':
    case 'update':
    case 'replace':
      return `${rows.textOf(endpoint.type)} | null | undefined`
    case 'delete':
      return 'void'
    case 'call':
      return callAnswer(endpoint, file, rows)
  }
}

function callAnswer(endpoint: CallEndpoint, file: ServerFile, rows: Rows): string {
  const { returns } = endpoint.operation
  if (returns === undefined) return 'void'
  const { type, collection } = returns
  const absent = returns.nullable && !collection ? ' | null | undefined' : ''
  if (type.kind !== 'entityType') {
    return valueTypeText(file.names, { ...returns, nullable: false }, 'read', file.typeReference) + absent
  }
  const row = rows.textOf(type)
  if (!collection) return row + absent
  if (endpoint.query !== undefined) return `${file.runtimeType('ListResult', 'server/list-result')}<${row}>`
  return `readonly ${row}[]`
}
