import type { DrizzleMapping } from 'specwright/sql'
import { accounts, cases, caseWatchers, staff } from './schema.js'

/** The caller's company: the tenant. */
export interface Caller {
  readonly company: number
}

/** Where the types of desk.yaml differ from the tables. A property without an entry has the key of its column. */
export const mapping: DrizzleMapping<Caller> = {
  tables: {
    ticket: {
      table: cases,
      columns: {
        subject: cases.title,
        status: cases.state,
        reporter: { column: cases.details, path: ['reporter'] },
      },
      where: { deletedAt: null, company: ({ context }) => context.company },
      relations: {
        assignee: { column: cases.owner },
        watchers: { from: caseWatchers.caseNo, to: caseWatchers.staffId },
      },
      search: { subject: 'words' },
    },
    agent: {
      table: staff,
      columns: { email: accounts.mail },
      joins: [{ table: accounts, on: { login: staff.login } }],
      where: { leftAt: null, company: ({ context }) => context.company },
      relations: { tickets: { foreignKey: cases.owner } },
    },
  },
}
