import { changeBody, type Mutant, mutantsIn } from './mutant.js'

const mutant = mutantsIn('items')
const libraryMutant = mutantsIn('items', 'library')

/** Faults of single items and of the paths to them. */
export const itemsMutants: readonly Mutant[] = [
  mutant('item-of-another', 'A single item has a value of another row.', correct => ({
    item: (item, row, at) => {
      const other = [...at.store.entities].find(each => each !== row && each.type === row.type)
      const name = row.type.properties.findLast(
        ({ name: each }) => typeof item[each] === 'string' && item[each] !== other?.values[each],
      )?.name
      return at.endpoint.kind === 'item' && name !== undefined
        ? { ...item, [name]: other?.values[name] ?? null }
        : correct.item(item, row, at)
    },
  })),
  mutant('item-lacks-a-property', 'A single item lacks a property that the list shows.', correct => ({
    includesProperty: (property, selected, row, at) =>
      at.endpoint.kind === 'item' && property === row?.type.properties[2]
        ? false
        : correct.includesProperty(property, selected, row, at),
  })),
  mutant('item-without-key', 'A single item does not show its key unless it is selected.', correct => ({
    includesProperty: (property, selected, row, at) =>
      !(at.endpoint.kind === 'item' && selected === undefined && row?.type.key.includes(property)) &&
      correct.includesProperty(property, selected, row, at),
  })),
  mutant('singleton-hides-a-value', 'A singleton has null where the list has a value.', correct => ({
    formatValue: (value, property, row, at) =>
      at.request.path === '/me' && property.name === 'department'
        ? null
        : correct.formatValue(value, property, row, at),
  })),
  mutant(
    'relation-missing-in-singleton',
    '$expand of a single-valued relation adds nothing to a singleton.',
    correct => ({
      includesRelation: (relation, isRequested, row, at) =>
        !(at.request.path === '/me' && !relation.collection) &&
        correct.includesRelation(relation, isRequested, row, at),
    }),
  ),
  mutant('timestamp-with-space', 'The timestamps of lists have a space instead of T.', correct => ({
    formatValue: (value, property, row, at) =>
      typeof value === 'string' &&
      at.endpoint.kind === 'collection' &&
      property.type.kind === 'primitive' &&
      property.type.name === 'DateTimeOffset'
        ? value.replace('T', ' ')
        : correct.formatValue(value, property, row, at),
  })),
  mutant('item-in-an-envelope', 'A single item is wrapped in value.', () =>
    changeBody((body, at, { status }) => (at.endpoint?.kind === 'item' && status === 200 ? { value: [body] } : body)),
  ),
  mutant('relation-in-an-envelope', 'The item of a single-valued relation is in a list in value.', () =>
    changeBody((body, at, { status }) => {
      const isRelation = at.endpoint?.kind === 'item' && at.endpoint.resolved.at(-1)?.kind === 'navigation'
      return isRelation && status === 200 ? { value: [body] } : body
    }),
  ),
  libraryMutant('property-of-the-first', 'The path of a collection property returns only its first item.', () => ({
    propertyValue: value => (Array.isArray(value) ? value.slice(0, 1) : value),
  })),
  libraryMutant('property-in-capitals', 'The path of a property returns text in capitals.', () => ({
    propertyValue: value => (typeof value === 'string' ? value.toUpperCase() : value),
  })),
  libraryMutant('links-but-one', 'The links of a relation lack the last one.', correct => ({
    links: (urls, at) => correct.links(urls.slice(0, -1), at),
  })),
  libraryMutant('links-as-texts', 'The links of a relation are texts instead of objects.', () => ({
    links: urls => urls,
  })),
  libraryMutant('stream-of-another-type', 'A stream is sent as application/octet-stream.', () => ({
    sentStream: stream => ({ ...stream, mediaType: 'application/octet-stream' }),
  })),
  libraryMutant('stream-announced-before', 'Items announce the entity tag that their stream had before.', () => ({
    announcedStream: stream => ({ ...stream, version: stream.version - 1 }),
  })),
  libraryMutant('key-by-its-beginning', 'The beginning of a key finds the item, too.', correct => ({
    parseKey: (text, at) => {
      const keys = [...at.store.entities].map(({ values }) => values['isbn']).filter(key => typeof key === 'string')
      const key = correct.parseKey(text, at)
      return keys.includes(key) || key.length < 4 ? key : (keys.find(each => each.startsWith(key)) ?? key)
    },
  })),
  mutant('quoted-key-is-last', 'A quoted key finds the last item.', correct => ({
    parseKey: (text, at) => {
      const key = correct.parseKey(text, at)
      const isOfType = ({ type }: { readonly type: unknown }): boolean => {
        return at.endpoint.kind === 'item' && type === at.endpoint.type
      }
      const last = [...at.store.entities].findLast(isOfType)
      const value = last?.values[last.type.key[0]?.name ?? '']
      return /^'.*'$/s.test(key) && typeof value === 'string' ? value : key
    },
  })),
  libraryMutant('alternate-key-of-the-first', 'An alternate key finds the first item of the list.', () => ({
    byAlternateKey: (found, rows) => (found === undefined ? undefined : rows[0]),
  })),
  libraryMutant('unknown-alternate-key', 'An alternate key that no item has finds the first item.', () => ({
    byAlternateKey: (found, rows) => found ?? rows[0],
  })),
  libraryMutant('alternate-key-unknown', 'An alternate key finds no item.', () => ({
    byAlternateKey: () => undefined,
  })),
  libraryMutant(
    'item-by-alternate-key-lacks',
    'An item by its alternate key has another value in a property.',
    correct => ({
      formatValue: (value, property, row, at) =>
        at.endpoint.resolved.at(-1)?.kind === 'alternateKey' && property.name === 'joined'
          ? '1999-12-31'
          : correct.formatValue(value, property, row, at),
    }),
  ),
  mutant('key-in-capitals', 'Keys in a path are converted to upper case and not found.', () => ({
    parseKey: text => text.toUpperCase(),
  })),
  mutant('key-cut-at-a-dash', 'A key in a path is truncated at its first dash.', () => ({
    parseKey: text => text.split('-')[0] ?? text,
  })),
  mutant('unknown-item-is-first', 'An unknown key returns the first item.', () => ({
    reply: (reply, at) => {
      if (reply.status !== 404 || at.endpoint?.kind !== 'item' || at.endpoint.keys.length === 0) return reply
      const { type } = at.endpoint
      const row = [...at.store.entities].find(each => each.type === type)
      return row === undefined ? reply : { status: 200, headers: {}, json: { ...row.values } }
    },
  })),
  mutant('tree-flattened', 'The collection of an item in a tree has the items below its items, too.', correct => ({
    related: (row, relation, at) => {
      const own = correct.related(row, relation, at)
      const isTree = relation.collection && relation.partner?.type === relation.type && !relation.partner.collection
      return isTree ? [...own, ...own.flatMap(each => correct.related(each, relation, at))] : own
    },
  })),
  mutant(
    'relation-path-shows-owner',
    'The path of a single-valued relation to the own type returns the owner.',
    correct => ({
      related: (row, relation, at) => {
        const last = at.endpoint.resolved.at(-1)
        const isPath = last?.kind === 'navigation' && last.property === relation && relation.type === row.type
        const related = correct.related(row, relation, at)
        return isPath && !relation.collection && related.length > 0 ? [row] : related
      },
    }),
  ),
  mutant('relation-of-all', 'A collection below an item contains every item of its type.', correct => ({
    related: (row, relation, at) =>
      relation.collection && !relation.contained
        ? [...at.store.entities].filter(each => each.type === relation.type || each.type.base === relation.type)
        : correct.related(row, relation, at),
  })),
  mutant(
    'single-relation-empty',
    'The path of a single-valued relation gets 204, as if there were no item.',
    correct => ({
      reply: (reply, at) => {
        const last = at.endpoint?.kind === 'item' ? at.endpoint.resolved.at(-1) : undefined
        const isPath = last?.kind === 'navigation' && !last.property.collection
        return correct.reply(isPath && reply.status === 200 ? { status: 204, headers: {} } : reply, at)
      },
    }),
  ),
  mutant('relation-empty', 'Collections below an item with a key are empty.', correct => ({
    related: (row, relation, at) =>
      relation.collection && at.endpoint.keys.length > 0 && at.endpoint.kind === 'collection'
        ? []
        : correct.related(row, relation, at),
  })),
  mutant('list-of-unknown-item', 'The collection below an unknown item is empty instead of not found.', correct => ({
    error: (error, message, at) =>
      error === at.service.faults.itemNotFound && at.endpoint?.kind === 'collection'
        ? { status: 200, headers: {}, json: { value: [] } }
        : correct.error(error, message, at),
  })),
  mutant('rows-without-identifier', 'Items of a list have no key, even if it is selected.', correct => ({
    includesProperty: (property, selected, row, at) =>
      at.endpoint.kind === 'collection' && row?.type.key.includes(property) === true
        ? false
        : correct.includesProperty(property, selected, row, at),
  })),
  mutant('wrong-type-of-value', 'Numbers are strings.', correct => ({
    formatValue: (value, property, row, at) =>
      typeof value === 'number' ? String(value) : correct.formatValue(value, property, row, at),
  })),
  mutant('collection-is-null', 'An empty collection is null.', correct => ({
    formatValue: (value, property, row, at) =>
      Array.isArray(value) && value.length === 0 ? null : correct.formatValue(value, property, row, at),
  })),
  mutant('timestamp-without-zone', 'Timestamps have no time zone.', correct => ({
    formatValue: (value, property, row, at) =>
      typeof value === 'string' && property.type.kind === 'primitive' && property.type.name === 'DateTimeOffset'
        ? value.replace(/Z$/, '')
        : correct.formatValue(value, property, row, at),
  })),
  mutant('enum-as-number', 'Enumeration values are numbers.', correct => ({
    formatValue: (value, property, row, at) =>
      typeof value === 'string' && property.type.kind === 'enumType'
        ? (property.type.members.find(({ name }) => name === value)?.value ?? value)
        : correct.formatValue(value, property, row, at),
  })),
  mutant('required-is-null', 'A property that cannot be null is null in every third row.', correct => ({
    formatValue: (value, property, row, at) => {
      const rows = at.target.kind === 'many' ? at.target.rows : []
      const isIt = row !== undefined && property === row.type.properties[1] && !property.nullable
      return isIt && rows.indexOf(row) % 3 === 2 ? null : correct.formatValue(value, property, row, at)
    },
  })),
]
