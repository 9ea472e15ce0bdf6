import type { PrismaMapping } from 'specwright/sql'

/** The caller's company: the tenant. */
export interface Caller {
  readonly company: number
}

/** Where the types of desk.yaml differ from the models of schema.prisma. */
export const mapping: PrismaMapping<Caller> = {
  models: {
    ticket: {
      model: 'case',
      fields: {
        subject: 'title',
        status: 'state',
        priority: 'urgency',
        estimate: 'hours',
        reporter: { field: 'details', path: ['reporter'] },
      },
      where: ({ context }) => ({ deletedAt: null, company: context.company }),
      relations: { assignee: 'owner', watchers: { field: 'watchers', to: 'staff' } },
    },
    agent: {
      model: 'staff',
      fields: { email: 'account.mail' },
      where: ({ context }) => ({ leftAt: null, company: context.company }),
      relations: { tickets: 'tickets' },
    },
  },
}
