/**
 * Runtime modules that no generated file imports, but whoever uses it does: handlers, the program that mounts the
 * service, the program that makes the client.
 */
export const entryModules = {
  client: ['client/retrying.js'],
  server: ['server/list-rows.js', 'server/node-listener.js'],
} as const
