/**
 * The tasks of every client: enough for a small program, and the same for all. Each module beside this one exports
 * `app`, written as its client's documentation shows.
 */
export interface App {
  /** Subjects of the mail since a time, ten a page, all pages. */
  subjects(since: string): Promise<string[]>
  /** The name of a person. */
  name(id: string): Promise<string | null | undefined>
  /** Marks a message as read; false if it no longer exists, which the service reports with the code `ErrorItemNotFound`. */
  markRead(id: string): Promise<boolean>
}

export type MakeApp = (baseUrl: string, token: string) => App
