// `specwright/sql`: reads of a generated server from tables of your own.

export { type KyselyFrom, type KyselyQueries, kyselyQueries } from './adapters/kysely.js'
export { type PgClient, type PgQueries, pgQueries } from './adapters/pg.js'
export { addSqliteFunctions } from './dialects/sqlite-functions.js'
export type * from './mapping/mapping.js'
