import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import { join } from 'node:path'

// A fleet of trucks, served by the mock server of SAP Fiori tools. Prints the address of the service.

const { default: MockServer } = createRequire(import.meta.url)('@sap-ux/fe-mockserver-core')

const mock = new MockServer({
  services: [
    {
      urlPath: '/fleet',
      metadataPath: join(import.meta.dirname, 'fleet.xml'),
      mockdataPath: join(import.meta.dirname, 'data'),
      generateMockData: false,
      strictKeyMode: true,
    },
  ],
  annotations: [],
  plugins: [],
})
await mock.isReady
const router = mock.getRouter()
const server = createServer((request, response) =>
  router(request, response, error => {
    response.statusCode = error ? 500 : 404
    response.end(String(error ?? 'Not found'))
  }),
)
server.listen(0, '127.0.0.1', () => process.stdout.write(`http://127.0.0.1:${server.address().port}/fleet\n`))
