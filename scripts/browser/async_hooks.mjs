/** A browser cannot follow asynchronous work yet: work that must stay together is refused. */
export class AsyncLocalStorage {
  getStore() {
    return undefined
  }

  run() {
    throw new Error('Several requests in one transaction, as in an atomicity group, are not available in a browser.')
  }
}
