import {
  boolean,
  date,
  integer,
  jsonb,
  numeric,
  pgSchema,
  smallint,
  text,
  timestamp,
  uuid,
  varchar,
} from 'drizzle-orm/pg-core'

// The tables of schema.sql, as `drizzle-kit pull` writes them.

export const crm = pgSchema('crm')

export const caseState = crm.enum('case_state', ['open', 'waiting', 'solved'])

export const accounts = crm.table('accounts', {
  login: text('login').primaryKey(),
  mail: varchar('mail', { length: 254 }),
})

export const staff = crm.table('staff', {
  id: uuid('staff_id').primaryKey(),
  company: integer('company').notNull(),
  name: varchar('full_name', { length: 100 }).notNull(),
  login: text('login').references(() => accounts.login),
  active: boolean('is_active').notNull().default(true),
  leftAt: timestamp('left_at', { withTimezone: true }),
})

export const cases = crm.table('cases', {
  id: integer('case_no').primaryKey(),
  company: integer('company').notNull(),
  title: text('title').notNull(),
  state: caseState('state').notNull(),
  priority: smallint('urgency'),
  openedAt: timestamp('created', { precision: 3, withTimezone: true }).notNull(),
  dueOn: date('due_on'),
  estimate: numeric('hours', { precision: 9, scale: 2 }),
  details: jsonb('details').notNull().default({}),
  labels: text('tags').array().notNull().default([]),
  owner: uuid('owner').references(() => staff.id),
  deletedAt: timestamp('deleted_at', { withTimezone: true }),
})

export const caseWatchers = crm.table('case_watchers', {
  caseNo: integer('case_no')
    .notNull()
    .references(() => cases.id),
  staffId: uuid('staff_id')
    .notNull()
    .references(() => staff.id),
})
