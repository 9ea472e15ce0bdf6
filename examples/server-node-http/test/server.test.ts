import { once } from 'node:events'
import { todoServer } from '../src/app.js'
import { testMountedService } from './contract.js'
import { portOf } from './port-of.js'

testMountedService(async token => {
  const server = todoServer(token).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: portOf(server),
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
})
