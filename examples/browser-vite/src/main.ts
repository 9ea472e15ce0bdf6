import { ServiceError } from './api/runtime/client.js'
import { findMessages, type MessageLine } from './find-messages.js'
import { pageElements } from './page-elements.js'

const { form, rows, status, alert, more } = pageElements(document)
let list: ReturnType<typeof findMessages> | undefined
let next: string | undefined

function rowOf({ subject, from, receivedDateTime, isRead }: MessageLine): HTMLTableRowElement {
  const row = document.createElement('tr')
  row.className = isRead ? 'read' : 'unread'
  const received = new Date(receivedDateTime).toLocaleString()
  for (const text of [received, from?.emailAddress?.name ?? '', subject ?? '(no subject)']) {
    row.insertCell().textContent = text
  }
  return row
}

/** Shows the first page of a list, or appends the page behind a next link. */
async function show(link?: string): Promise<void> {
  if (list === undefined) return
  alert.textContent = ''
  const requested = list
  const answer = await (link === undefined ? requested : requested.resume(link)).page().result()
  // The form was submitted again in the meantime.
  if (requested !== list) return
  if (!answer.ok) throw answer.error
  const { value, count, nextLink } = answer.value
  rows.append(...value.map(rowOf))
  next = nextLink
  more.hidden = nextLink === undefined
  status.textContent = `${rows.rows.length} of ${count ?? 'many'}`
}

function fail(error: unknown): void {
  more.hidden = true
  alert.textContent =
    error instanceof ServiceError ? `${error.message} (${error.status} ${error.code})` : 'The service does not answer.'
}

form.addEventListener('submit', event => {
  event.preventDefault()
  const text = (name: string): string => String(new FormData(form).get(name) ?? '')
  list = findMessages({
    service: text('service'),
    token: text('token'),
    subject: text('subject').trim(),
    unread: text('unread') === 'on',
  })
  rows.replaceChildren()
  status.textContent = ''
  show().catch(fail)
})

more.addEventListener('click', () => void show(next).catch(fail))
