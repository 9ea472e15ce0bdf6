import { afterEach, describe, expect, it, vi } from 'vitest'
import { DriverError, withDriver } from './engine.js'

const coded = (code: string, message: string): Error => Object.assign(new Error(message), { code })
const opened = (error: unknown): Promise<unknown> =>
  withDriver('better-sqlite3', () => Promise.reject(error)).catch((thrown: unknown) => thrown)

const install =
  'The package better-sqlite3 is not installed, or its installation is incomplete. Run: npm install better-sqlite3'
const rebuild =
  'The native part of the package better-sqlite3 is missing, or was built for a different version of Node.js or a different system. Run: ' +
  'npm rebuild better-sqlite3, with install scripts allowed'

describe('a driver that cannot be loaded', () => {
  afterEach(() => vi.unstubAllEnvs())

  it.each([
    ['npm/11.19.1 node/v22.23.3 linux x64', 'npm install x'],
    ['pnpm/12.21.0 npm/? node/? linux x64', 'pnpm add x'],
    ['yarn/4.18.1 npm/? node/v22.23.3 linux x64', 'yarn add x'],
    ['bun/1.4.5 npm/? node/v26.3.0 linux x64', 'bun add x'],
    [undefined, 'npm install x'],
  ])('is installed with the package manager %s by %s', async (agent, command) => {
    vi.stubEnv('npm_config_user_agent', agent)
    const absent = coded('ERR_MODULE_NOT_FOUND', "Cannot find package 'x'")
    await expect(withDriver('x', () => Promise.reject(absent))).rejects.toThrow(`Run: ${command}`)
  })

  it('is named with the version for this Node.js', async () => {
    const absent = coded('ERR_MODULE_NOT_FOUND', "Cannot find package 'better-sqlite3'")
    await expect(withDriver('better-sqlite3@12', () => Promise.reject(absent))).rejects.toThrow(
      'The package better-sqlite3 is not installed, or its installation is incomplete. Run: npm install better-sqlite3@12',
    )
  })

  it.each([
    ['the package is absent', coded('ERR_MODULE_NOT_FOUND', "Cannot find package 'better-sqlite3'"), install],
    ['what the package needs is absent', coded('MODULE_NOT_FOUND', "Cannot find module 'bindings'"), install],
    ['a bundler replaced it', new Error('Could not resolve "better-sqlite3" imported by "specwright".'), install],
    ['Jest finds no package', new Error("Cannot find module 'better-sqlite3'"), install],
    ['the error is of another realm', { code: 'MODULE_NOT_FOUND', message: "Cannot find module 'x'" }, install],
    ['its install script did not run', new Error('Could not locate the bindings file. Tried:\n → /a/b.node'), rebuild],
    [
      'made for another Node.js',
      coded('ERR_DLOPEN_FAILED', 'was compiled against a different Node.js version'),
      rebuild,
    ],
  ])('%s', async (_, cause, message) => {
    const error = await opened(cause)
    expect(error).toBeInstanceOf(DriverError)
    expect(error).toMatchObject({ message, cause })
  })

  it.each([
    ['another failure', coded('SQLITE_CANTOPEN', 'unable to open database file')],
    ['what is no error', 'no error'],
  ])('%s is rethrown unchanged', async (_, thrown) => {
    expect(await opened(thrown)).toBe(thrown)
  })
})
