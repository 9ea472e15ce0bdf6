/** A service that fails while it answers: a mutant throws it, the client gets an internal error. */
export class ServiceCrash extends Error {
  override readonly name = 'ServiceCrash'
}
