import type { StructuredTypeInfo } from '../../query/index.js'
import { memberReader, type RowWriter, type Selection } from '../response/returned-properties.js'
import { type ServiceTable, structuredType } from '../service-table.js'

const inRows = ['mediaContentType', 'mediaEtag', 'mediaReadLink', 'mediaEditLink'] as const

/** Whether items of a type can have streams, whose control information a response shows. */
export function hasStreams({ hasStream, properties }: StructuredTypeInfo): boolean {
  return hasStream === true || Object.values(properties).some(({ type }) => type === 'Edm.Stream')
}

/**
 * Copies the control information of streams from the item of a handler. The streams themselves are not part of an item.
 *
 * @see OData JSON Format 4.01, 4.6.12 (media*) and 9 (stream property)
 */
export function streamWriter(type: StructuredTypeInfo, selection: Selection | undefined): RowWriter {
  const prefixes = type.hasStream === true ? [''] : []
  for (const [name, info] of Object.entries(type.properties)) {
    if (info.type !== 'Edm.Stream') continue
    const isSelected = selection === undefined ? info.onSelect !== true : selection.all || selection.names.has(name)
    if (isSelected || info.always === true) prefixes.push(name)
  }
  const names = prefixes.flatMap(prefix => inRows.map(term => `${prefix}@odata.${term}`))
  const members = names.map(name => ({ name, read: memberReader(name) }))
  return (row, sent) => {
    for (const { name, read } of members) {
      const value = read(row)
      if (typeof value === 'string') sent[name] = value
    }
  }
}

interface StreamLinks {
  /** The name of the stream property; empty for the media stream. */
  readonly property: string
  readonly read: boolean
  readonly edit: boolean
}

const linksByTable = new WeakMap<ServiceTable, ReadonlyMap<string, readonly StreamLinks[]>>()

/**
 * The links to the streams of an item that the service reads or changes, by the name of the control information.
 *
 * @param id the URL of the item
 */
export function streamLinks(type: string, id: string, table: ServiceTable): Readonly<Record<string, string>> {
  const known = linksByTable.get(table) ?? linksByType(table)
  linksByTable.set(table, known)
  const links: Record<string, string> = {}
  for (let name: string | undefined = type; name !== undefined; name = structuredType(table.types, name)?.base) {
    for (const { property, read, edit } of known.get(name) ?? []) {
      const url = `${id}/${property === '' ? '$value' : property}`
      if (read) links[`${property}@odata.mediaReadLink`] = url
      if (edit) links[`${property}@odata.mediaEditLink`] = url
    }
  }
  return links
}

function linksByType({ routes }: ServiceTable): ReadonlyMap<string, readonly StreamLinks[]> {
  const byType = new Map<string, Map<string, StreamLinks>>()
  for (const { kind, type, stream } of routes) {
    if (type === undefined || stream === undefined || kind === 'createMedia') continue
    const ofType = byType.get(type) ?? new Map<string, StreamLinks>()
    byType.set(type, ofType)
    const property = stream.property ?? ''
    const { read = false, edit = false } = ofType.get(property) ?? {}
    ofType.set(property, { property, read: read || kind === 'readStream', edit: edit || kind === 'replaceStream' })
  }
  return new Map([...byType].map(([type, links]) => [type, [...links.values()]]))
}
