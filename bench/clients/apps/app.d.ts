/**
 * What every client is asked to do: enough for a small program, and the same for all. Each module beside this one exports
 * `app`, written as its client's documentation has it.
 */
export interface App {
  /** Subjects of the mail since a moment, ten a page, all pages. */
  subjects(since: string): Promise<string[]>
  /** The name of a person. */
  name(id: string): Promise<string | null | undefined>
  /** Marks a message as read; false when it is gone, which the service tells by the code `ErrorItemNotFound`. */
  markRead(id: string): Promise<boolean>
}

export type MakeApp = (baseUrl: string, token: string) => App
