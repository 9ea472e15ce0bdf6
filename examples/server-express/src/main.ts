import { todoApp } from './app.js'

const port = Number(process.env['PORT'] ?? 8080)
todoApp(process.env['TODO_TOKEN'] ?? 'secret').listen(port, () => {
  console.log(`To-do list at http://localhost:${port}/v1.0`)
})
