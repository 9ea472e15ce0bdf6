import type { GroupRow, MessageRow, UserRow } from './generated/server.js'
import type { Calendar, DriveItem, Group, Reminder, User } from './generated/types.js'

// A handful of people in arrays. A real service has a database instead.

const person = (id: string, displayName: string, jobTitle: string | null, department: string): User => ({
  id,
  displayName,
  mail: `${id}@example.org`,
  jobTitle,
  department,
  officeLocation: null,
  surname: displayName.split(' ').at(-1) ?? null,
  accountEnabled: true,
  assignedLicenses: [],
  businessPhones: [],
  givenName: displayName.split(' ')[0] ?? null,
  mobilePhone: null,
  preferredLanguage: 'en',
  userPrincipalName: `${id}@example.org`,
})

const ada = person('ada', 'Ada Lovelace', 'Chief Analyst', 'Analysis')
const alan = person('alan', 'Alan Turing', 'Analyst', 'Analysis')
const annie = person('annie', 'Annie Easley', null, 'Flight')
const bo = person('bo', "Bo O'Neil", 'Auditor', 'Finance')

/** With their managers, which a response contains only if the query expands them. */
export const users: readonly UserRow[] = [
  ada,
  { ...alan, manager: ada },
  { ...annie, manager: ada },
  { ...bo, manager: alan },
]

const group = (id: string, displayName: string, securityEnabled: boolean): Group => ({
  id,
  displayName,
  mail: null,
  mailEnabled: false,
  mailNickname: id,
  securityEnabled,
  description: null,
  groupTypes: [],
  createdDateTime: '2026-01-05T08:00:00Z',
})

const everyone = group('everyone', 'Everyone', true)
const analysts = group('analysts', 'Analysts', false)

export const groups: GroupRow[] = [everyone, analysts]

/** Group -> its direct members. */
export const members = new Map<string, readonly (User | Group)[]>([
  ['everyone', [analysts, annie, bo]],
  ['analysts', [ada, alan]],
])

const message = (id: string, subject: string, receivedDateTime: string, isRead: boolean): MessageRow => ({
  id,
  subject,
  body: { contentType: 'text', content: `About: ${subject}` },
  toRecipients: [{ emailAddress: { address: 'alan@example.org', name: 'Alan Turing' } }],
  ccRecipients: [],
  from: { emailAddress: { address: 'ada@example.org', name: 'Ada Lovelace' } },
  receivedDateTime,
  isRead,
  importance: subject.includes('!') ? 'high' : 'normal',
  categories: [],
  createdDateTime: receivedDateTime,
  lastModifiedDateTime: receivedDateTime,
  '@odata.etag': 'W/"1"',
})

/** The signed-in person's mail. */
export const messages: MessageRow[] = [
  message('m1', 'Weekly report', '2026-11-02T09:00:00Z', true),
  message('m2', 'The engine is down!', '2026-11-09T07:30:00Z', false),
  message('m3', 'Lunch on Thursday?', '2026-11-09T11:15:00Z', false),
  message('m4', "Bo's audit: 100 % done", '2026-11-16T16:45:00Z', false),
]

export const calendar: Calendar = {
  id: 'calendar',
  name: 'Calendar',
  color: 'auto',
  isDefaultCalendar: true,
  canEdit: true,
  owner: { address: 'alan@example.org', name: 'Alan Turing' },
}

export const reminders: readonly Reminder[] = [
  {
    eventId: 'e1',
    eventSubject: 'Review of the engine',
    eventStartTime: '2026-11-23T10:00:00Z',
    eventEndTime: '2026-11-23T11:00:00Z',
    eventLocation: { displayName: 'Hut 8' },
    eventWebLink: null,
    reminderFireTime: '2026-11-23T09:45:00Z',
  },
]

const item = (id: string, name: string, childCount: number | null): DriveItem => ({
  id,
  name,
  description: null,
  size: childCount === null ? 2048 : null,
  webUrl: null,
  file: childCount === null ? { mimeType: 'text/plain' } : null,
  folder: childCount === null ? null : { childCount },
  createdDateTime: '2026-10-01T08:00:00Z',
  lastModifiedDateTime: '2026-10-01T08:00:00Z',
})

export const driveItems: readonly DriveItem[] = [
  item('papers', 'Papers', 1),
  item('numbers', 'On computable numbers.txt', null),
]

/** Folder -> its items. */
export const children = new Map<string, readonly DriveItem[]>([
  ['papers', driveItems.slice(1)],
  ['numbers', []],
])
