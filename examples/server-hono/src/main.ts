import { serve } from '@hono/node-server'
import { todoApp } from './app.js'

const port = Number(process.env['PORT'] ?? 8080)
serve({ fetch: todoApp(process.env['TODO_TOKEN'] ?? 'secret').fetch, port }, () => {
  console.log(`To-do list at http://localhost:${port}/v1.0`)
})
