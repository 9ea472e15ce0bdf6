import {
  AliasNode,
  ColumnNode,
  IdentifierNode,
  type KyselyPlugin,
  type OperationNode,
  OperationNodeTransformer,
  RawNode,
  ReferenceNode,
  SelectionNode,
  SelectModifierNode,
  SelectQueryNode,
  sql,
  TableNode,
  ValueNode,
} from 'kysely'
import type { ListResult, ServiceTable } from '../../runtime/server/index.js'
import { Placeholder, type PlaceholderValues, type Session, type Sql } from '../dialects/dialect.js'
import {
  type MappedQueries,
  mappedDialects,
  mappedQueries,
  type QuerySource,
  withQueryErrors,
} from './mapped-queries.js'
import type { MappedItem, TableMapping } from './mapping.js'

/** A query of Kysely on one table: `db.selectFrom('users')`. */
export interface KyselyFrom {
  toOperationNode(): OperationNode
  withPlugin(plugin: KyselyPlugin): { execute(): Promise<readonly object[]> }
}

/** Reads that answer the calls of a generated server with Kysely. */
export interface KyselyQueries {
  /**
   * A page of the collection of the path: `collection(db.selectFrom('users'), call)`. Joins and conditions of the query
   * limit the rows further. The statements run where the query would run, also in a transaction.
   *
   * @throws {TypeError} if the query reads another table than the path, or has other parts
   */
  readonly collection: (from: KyselyFrom, call: object) => Promise<ListResult<MappedItem>>
  /** The item of the path; null if there is none. */
  readonly item: (from: KyselyFrom, call: object) => Promise<MappedItem | null>
  /** The number of items in the collection of the path. */
  readonly count: (from: KyselyFrom, call: object) => Promise<number>
}

/**
 * Queries with Kysely. On SQLite, call `addSqliteFunctions(database)` first.
 *
 * @throws {TypeError} if the mapping does not fit the service
 */
export function kyselyQueries<Context = unknown>(
  service: ServiceTable,
  mapping: TableMapping<Context>,
  { dialect }: { readonly dialect: keyof typeof mappedDialects },
): KyselyQueries {
  const queries = mappedQueries(service, mapping, mappedDialects[dialect])
  return {
    collection: (from, call) => queries.collection(sourceOf(from, queries), call),
    item: (from, call) => queries.item(sourceOf(from, queries), call),
    count: (from, call) => queries.count(sourceOf(from, queries), call),
  }
}

/** The parts of a query that limit its rows. */
const limiting = new Set(['kind', 'from', 'joins', 'where', 'selections'])

function sourceOf(from: KyselyFrom, queries: MappedQueries): QuerySource {
  const session = kyselySession(from, queries)
  const node = from.toOperationNode()
  if (!SelectQueryNode.is(node)) throw new TypeError("Pass a query that selects, such as db.selectFrom('users').")
  const other = Object.entries(node).find(([part, value]) => value !== undefined && !limiting.has(part))
  if (other !== undefined)
    throw new TypeError(`The query has '${other[0]}'. Only joins and conditions can limit the rows of a collection.`)
  const [first, ...more] = node.from?.froms ?? []
  const aliased = first !== undefined && AliasNode.is(first) ? first : undefined
  const of = aliased === undefined ? first : aliased.node
  if (of === undefined || !TableNode.is(of) || more.length > 0)
    throw new TypeError('The query must select from one table.')
  const { schema, identifier } = of.table
  const table = schema === undefined ? identifier.name : `${schema.name}.${identifier.name}`
  if (node.where === undefined && node.joins === undefined) return { session, table }
  const given = aliased !== undefined && IdentifierNode.is(aliased.alias) ? aliased.alias.name : undefined
  const alias = given === undefined ? of : TableNode.create(given)
  const ids = (idColumn: string): Sql => {
    const id = SelectionNode.create(ReferenceNode.create(ColumnNode.create(idColumn), alias))
    return sql`${{ toOperationNode: () => ({ ...node, selections: [id] }) }}`
  }
  return { session, table, ids }
}

/** Runs statements instead of the query, with its connection. */
function kyselySession(from: KyselyFrom, { fragmentOf }: MappedQueries): Session {
  const all: Session['all'] = async (statement, values = {}) => {
    const node = fragmentOf(statement).toOperationNode()
    if (!RawNode.is(node)) throw new TypeError('The statement is not raw SQL.')
    const bound = selecting(new BoundValues(values).transformNode(node))
    const plugin: KyselyPlugin = {
      transformQuery: () => bound,
      transformResult: async ({ result }) => result,
    }
    const rows = await withQueryErrors(() => from.withPlugin(plugin).execute())
    // Every column of a statement has a name of its own, so that the members are in the order of the columns.
    return rows.map(row => Object.values(row))
  }
  return { all, run: async (statement, values) => (await all(statement, values)).length }
}

/** A statement as a query that selects: the executor prints the word SELECT, and takes no other kind of query. */
function selecting(statement: RawNode): SelectQueryNode {
  const rest = SelectModifierNode.createWithExpression(withoutSelect(statement))
  return SelectQueryNode.cloneWithFrontModifier(SelectQueryNode.create(), rest)
}

function withoutSelect(statement: RawNode): RawNode {
  const [start = '', ...fragments] = statement.sqlFragments
  const [first, ...parameters] = statement.parameters
  if (start.trim() === '' && first !== undefined && RawNode.is(first))
    return RawNode.create(statement.sqlFragments, [withoutSelect(first), ...parameters])
  const word = /^\s*SELECT\s+/
  if (!word.test(start)) throw new TypeError('The statement does not begin with SELECT.')
  return RawNode.create([start.replace(word, ''), ...fragments], statement.parameters)
}

/** Replaces placeholders by their values. */
class BoundValues extends OperationNodeTransformer {
  readonly #values: PlaceholderValues

  constructor(values: PlaceholderValues) {
    super()
    this.#values = values
  }

  protected override transformValue(node: ValueNode): ValueNode {
    const { value } = node
    return value instanceof Placeholder ? ValueNode.create(value.encode(this.#values[value.name])) : node
  }
}
