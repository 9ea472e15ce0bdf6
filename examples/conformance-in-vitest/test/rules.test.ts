import { fileURLToPath } from 'node:url'
import { describeConformance } from 'specwright/conformance'
import { beforeAll, describe, it } from 'vitest'
import knownFailures from '../known-failures.json' with { type: 'json' }
import { sampleTasks } from '../src/sample-tasks.js'
import { todoService } from '../src/service.js'

// One test for each rule.
describeConformance(todoService('secret', sampleTasks), fileURLToPath(new URL('../todo.yaml', import.meta.url)), {
  token: 'secret',
  allowWrites: true,
  requests: 500,
  seed: 1,
  knownFailures,
  runner: { describe, it, beforeAll },
})
