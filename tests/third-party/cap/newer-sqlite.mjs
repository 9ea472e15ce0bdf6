import { registerHooks } from 'node:module'

// CAP's driver of SQLite is better-sqlite3 12, which does not last on Node.js 24.19 and later.
registerHooks({
  resolve: (specifier, context, next) =>
    next(specifier === 'better-sqlite3' ? 'better-sqlite3-napi' : specifier, context),
})
