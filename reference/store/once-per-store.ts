import type { Sql } from './dialect/dialect.js'
import type { Engine } from './engine/engine.js'
import { Slot } from './engine/sql-value.js'
import type { Storage } from './schema/storage.js'

/** What statements are made with. */
export interface StatementMaker {
  readonly engine: Engine
  /** A place for a value that comes when the statement runs. */
  readonly slot: (name: string, storage: Storage) => Sql
}

/** Makes something once for each store, when it is first needed. */
export function oncePerStore<Value>(
  make: (maker: StatementMaker) => Value,
): (store: { readonly engine: Engine }) => Value {
  const made = new WeakMap<Engine, { readonly value: Value }>()
  return ({ engine }) => {
    const known = made.get(engine)
    if (known !== undefined) return known.value
    const value = make({ engine, slot: (name, storage) => engine.dialect.bind(new Slot(name), storage) })
    made.set(engine, { value })
    return value
  }
}
