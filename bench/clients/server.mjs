// Sends constant responses to the requests of the apps, so that only the clients are measured.
// `node server.mjs` prints its address.
import { createServer } from 'node:http'

const messages = Array.from({ length: 10 }, (_, index) => ({
  '@odata.etag': `W/"${index}"`,
  id: `22222222-0000-4000-8000-00000000000${index}`,
  subject: `Delivery ${index}`,
}))
const context = 'http://localhost/v1.0/$metadata#me/messages(id,subject)'
const page = JSON.stringify({ '@odata.context': context, value: messages })
const people = JSON.stringify({ value: [{ id: '1', displayName: 'Ada Abel' }] })
const person = JSON.stringify({
  '@odata.context': 'http://localhost/v1.0/$metadata#users/$entity',
  '@odata.etag': 'W/"1"',
  displayName: 'Ada Abel',
})
const gone = JSON.stringify({ error: { code: 'ErrorItemNotFound', message: 'The specified object was not found.' } })
const changed = JSON.stringify({ ...messages[0], isRead: true })

const server = createServer((request, response) => {
  request.resume()
  const [path, query = ''] = request.url.split('?')
  const send = (status, body) => {
    response.writeHead(status, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) })
    response.end(body)
  }
  if (request.headers.authorization !== 'Bearer token') return send(401, gone)
  if (request.method === 'PATCH' || request.method === 'PUT')
    return path.includes('gone') ? send(404, gone) : send(200, changed)
  if (path.endsWith('/messages')) {
    // The mail since 2025 has a second page.
    if (!decodeURIComponent(query).includes('2025')) return send(200, page)
    const link = `http://${request.headers.host}${path}?$skiptoken=2`
    return send(200, JSON.stringify({ '@odata.context': context, '@odata.nextLink': link, value: messages }))
  }
  return send(200, path.endsWith('/users') ? people : person)
})
server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}/v1.0`))
