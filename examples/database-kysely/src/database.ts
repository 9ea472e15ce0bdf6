import type { ColumnType, Generated } from 'kysely'

/** The tables of schema.sql, as `kysely-codegen` writes them. */
export interface Database {
  readonly 'crm.accounts': { login: string; mail: string | null }
  readonly 'crm.staff': {
    staff_id: string
    company: number
    full_name: string
    login: string | null
    is_active: Generated<boolean>
    left_at: Date | null
  }
  readonly 'crm.cases': {
    case_no: number
    company: number
    title: string
    state: 'open' | 'waiting' | 'solved'
    urgency: number | null
    created: Date
    due_on: Date | null
    hours: string | null
    details: ColumnType<unknown, string | undefined>
    tags: Generated<string[]>
    owner: string | null
    deleted_at: Date | null
  }
}
