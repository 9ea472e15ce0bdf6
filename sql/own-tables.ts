// `specwright/sql`: reads of a generated server from tables of your own.

export { addSqliteFunctions } from './dialects/sqlite-functions.js'
export type {
  DrizzleColumn,
  DrizzleColumnMapping,
  DrizzleEntityTable,
  DrizzleJoin,
  DrizzleMapping,
  DrizzleRelation,
  DrizzleTable,
} from './mapping/drizzle-mapping.js'
export {
  type DrizzleDatabase,
  type DrizzleQueries,
  type DrizzleRows,
  drizzleQueries,
} from './mapping/drizzle-queries.js'
export { type KyselyFrom, type KyselyQueries, kyselyQueries } from './mapping/kysely-queries.js'
export type * from './mapping/mapping.js'
export { type PgClient, type PgQueries, pgQueries } from './mapping/pg-queries.js'
export type { PrismaField, PrismaMapping, PrismaModel, PrismaThrough } from './prisma/prisma-mapping.js'
export {
  type PrismaDatabase,
  type PrismaItems,
  type PrismaQueries,
  prismaQueries,
} from './prisma/prisma-queries.js'
