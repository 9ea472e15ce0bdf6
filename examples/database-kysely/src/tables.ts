import type { TableMapping } from 'specwright/sql'

/** The caller's company: the tenant. */
export interface Caller {
  readonly company: number
}

/** Where the types of desk.yaml are in the tables of schema.sql. */
export const mappingFor = (dialect: 'postgres' | 'sqlite'): TableMapping<Caller> => ({
  tables: {
    ticket: {
      table: 'crm.cases',
      columns: {
        id: 'case_no',
        subject: 'title',
        status: 'state',
        priority: 'urgency',
        openedAt: 'created',
        dueOn: 'due_on',
        estimate: 'hours',
        reporter: { column: 'details', path: ['reporter'] },
        labels: { column: 'tags', type: dialect === 'postgres' ? 'array' : 'json' },
      },
      version: dialect === 'postgres' ? 'xmin' : 'changes',
      where: { deleted_at: null, company: ({ context }) => context.company },
      relations: {
        assignee: { column: 'owner' },
        watchers: { through: 'crm.case_watchers', from: 'case_no', to: 'staff_id' },
      },
      search: { subject: 'words' },
    },
    agent: {
      table: 'crm.staff',
      columns: {
        id: 'staff_id',
        name: 'full_name',
        email: { join: 'account', column: 'mail' },
        active: 'is_active',
      },
      joins: { account: { table: 'crm.accounts', on: { login: 'login' } } },
      where: { left_at: null, company: ({ context }) => context.company },
      relations: { tickets: { foreignKey: 'owner' } },
    },
  },
})
