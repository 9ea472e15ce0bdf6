import { defineConfig } from '@hey-api/openapi-ts'

export default defineConfig(
  ['directory', 'library'].map(name => ({
    input: `./generated/${name}.json`,
    output: `generated/hey-${name}`,
    logs: { level: 'warn' as const, file: false },
  })),
)
