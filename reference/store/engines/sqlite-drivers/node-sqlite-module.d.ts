/** The part of the module that the store uses. The types of Node.js 20 do not have it. */
declare module 'node:sqlite' {
  type SqliteValue = null | number | bigint | string | Uint8Array

  export class DatabaseSync {
    constructor(path: string, options?: { readonly readOnly?: boolean })
    readonly isOpen: boolean
    readonly isTransaction: boolean
    exec(sql: string): void
    prepare(sql: string): StatementSync
    function(
      name: string,
      options: { readonly deterministic: boolean; readonly useBigIntArguments: boolean; readonly varargs: boolean },
      work: (...values: readonly unknown[]) => unknown,
    ): void
    close(): void
  }

  export class StatementSync {
    setReturnArrays(enabled: boolean): void
    all(...parameters: readonly SqliteValue[]): unknown[]
    run(...parameters: readonly SqliteValue[]): { readonly changes: number | bigint }
  }
}
