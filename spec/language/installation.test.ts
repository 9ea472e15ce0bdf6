import { afterEach, describe, expect, it, vi } from 'vitest'
import { installCommand } from './installation.js'

afterEach(() => vi.unstubAllEnvs())

describe('the command that installs a package is that of the package manager which started the process', () => {
  it.each([
    ['npm/11.0.0 node/v22.0.0', 'npm install pg@8', 'npm install --save-dev pg@8'],
    ['pnpm/10.1.0 npm/? node/v22.0.0', 'pnpm add pg@8', 'pnpm add -D pg@8'],
    ['yarn/4.9.0 npm/? node/v22.0.0', 'yarn add pg@8', 'yarn add -D pg@8'],
    ['bun/1.2.0 npm/? node/v22.0.0', 'bun add pg@8', 'bun add --dev pg@8'],
    ['other/1.0.0', 'npm install pg@8', 'npm install --save-dev pg@8'],
    ['', 'npm install pg@8', 'npm install --save-dev pg@8'],
  ])('%s', (agent, command, development) => {
    vi.stubEnv('npm_config_user_agent', agent)
    expect(installCommand('pg@8')).toBe(command)
    expect(installCommand('pg@8', 'development')).toBe(development)
  })
})
