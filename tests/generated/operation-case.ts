/** A call of one operation, from the client to the handler and back. */
export interface OperationCase<Client> {
  readonly operation: string
  readonly call: (client: Client) => PromiseLike<unknown>
  /** Expected members of the handler's call. */
  readonly handlerCall: Readonly<Record<string, unknown>>
  readonly handlerResult: unknown
  readonly clientResult: unknown
}

/** A call of a handler. */
interface RecordedCall {
  /** `me.messages.list` */
  readonly operation: string
  readonly call: object
}

/** Handlers that record their calls and return a given result. */
export interface Recorder {
  readonly handlers: Handlers
  /** Returns and clears the recorded calls. */
  takeCalls(): readonly RecordedCall[]
  /** Sets the result of every handler. */
  answerWith(answer: unknown): void
}

/** A handler, or handlers by name. */
interface Handlers {
  [name: string]: Handlers | ((call: object) => never)
}

export function createRecorder(operations: readonly string[]): Recorder {
  const asked: RecordedCall[] = []
  let answer: unknown
  const handlers: Handlers = {}
  for (const operation of operations) {
    const names = operation.split('.')
    const last = names.pop() ?? ''
    let group = handlers
    for (const name of names) {
      const inner = group[name] ?? {}
      if (typeof inner === 'function') throw new Error(`${name} is an operation`)
      group[name] = inner
      group = inner
    }
    const handler = (call: object): unknown => {
      asked.push({ operation, call })
      return answer
    }
    Reflect.set(group, last, handler)
  }
  return {
    handlers,
    takeCalls: () => asked.splice(0),
    answerWith: next => {
      answer = next
    },
  }
}
