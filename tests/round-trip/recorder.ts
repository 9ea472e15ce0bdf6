/** What a handler was asked. */
export interface Asked {
  /** `me.messages.list` */
  readonly operation: string
  readonly call: object
}

/** Handlers that take down what they are asked, and answer what they are told. */
export interface Recorder {
  readonly handlers: Handlers
  /** Everything asked since the last look. */
  taken(): readonly Asked[]
  /** What every handler answers from now on. */
  answerWith(answer: unknown): void
}

/** A handler, or handlers by name. */
interface Handlers {
  [name: string]: Handlers | ((call: object) => never)
}

export function recorder(operations: readonly string[]): Recorder {
  const asked: Asked[] = []
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
    taken: () => asked.splice(0),
    answerWith: next => {
      answer = next
    },
  }
}
