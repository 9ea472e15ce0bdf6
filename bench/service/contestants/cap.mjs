import { execFileSync } from 'node:child_process'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { flat } from '../cap/flat.mjs'
import { principal } from '../organisation.mjs'
import { targetOf } from '../workloads.mjs'
import { started } from './started.mjs'

const require = createRequire(import.meta.url)
const project = fileURLToPath(new URL('../cap/', import.meta.url))
const fill = fileURLToPath(new URL('../cap/fill.cjs', import.meta.url))

const owner = `owner_id eq ${principal}`

/**
 * SAP CAP in its production profile, without authentication, which saves it that work. The requests read mail as one set,
 * with the owner in the filter: for the natural `users(…)/messages`, CAP searches all mail and takes twenty times as long.
 */
export const cap = {
  name: `CAP ${require('@sap/cds/package.json').version}`,
  headers: {},
  target: ({ path, query = {} }) => {
    const { $filter, ...others } = query
    const below = path.replace(/^\/me\b/, '').replace(/\/([\d-]{36})/, '($1)')
    if (below !== '/messages' || query.$top === undefined) return targetOf({ path: below, query }, '/v1.0')
    const filter = $filter === undefined ? owner : `${owner} and ${$filter}`
    return targetOf({ path: below, query: { $filter: filter, ...others } }, '/v1.0')
  },
  body: message => ({ owner_id: principal, ...flat(message) }),
  prepare: async (place, { users, messages }) =>
    void execFileSync(process.execPath, [fill, String(users), String(messages)], {
      cwd: project,
      env: { ...process.env, ...settings(place) },
    }),
  start: place =>
    started([require.resolve('@sap/cds/bin/serve.js'), '--port', '0'], {
      cwd: project,
      env: settings(place),
      pattern: /listening on .*(http:\/\/[^ '}/]+)/,
    }),
}

function settings(place) {
  const db = { kind: 'sqlite', credentials: { url: join(place, 'cap.db') } }
  return {
    NODE_ENV: 'production',
    CDS_CONFIG: JSON.stringify({ requires: { db }, log: { levels: { cds: 'info', odata: 'warn' } } }),
  }
}
