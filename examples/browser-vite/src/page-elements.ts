/** The elements of index.html that the program uses. */
export interface PageElements {
  readonly form: HTMLFormElement
  readonly rows: HTMLTableSectionElement
  readonly status: Element
  readonly alert: Element
  readonly more: HTMLButtonElement
}

/** Finds the elements of index.html. */
export function pageElements(page: Document): PageElements {
  const form = page.querySelector('form')
  const rows = page.querySelector('tbody')
  const status = page.querySelector('[role=status]')
  const alert = page.querySelector('[role=alert]')
  const more = page.querySelector<HTMLButtonElement>('#more')
  if (!form || !rows || !status || !alert || !more) throw new TypeError('index.html lacks an element.')
  return { form, rows, status, alert, more }
}
