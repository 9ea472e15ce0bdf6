import { createServer } from 'node:http'
import { toNodeListener } from './api/runtime/server.js'
import { sampleTasks } from './sample-tasks.js'
import { todoService } from './service.js'

const port = Number(process.env['PORT'] ?? 8080)
createServer(toNodeListener(todoService(process.env['TODO_TOKEN'] ?? 'secret', sampleTasks))).listen(port, () => {
  console.log(`To-do list at http://localhost:${port}/v1.0`)
})
