import { describe, expect, it } from 'vitest'
import { type HostProblem, hostCheck } from './known-hosts.js'

const problem = (listensOn: string, host: string, known: readonly string[] = []): HostProblem | undefined =>
  hostCheck(listensOn, known)({ httpVersion: '1.1', rawHeaders: ['Accept', 'host', 'HOST', host] })

describe('the Host of a request', () => {
  it.each<[listensOn: string, host: string, expected: HostProblem | undefined]>([
    ['127.0.0.1', '127.0.0.1:8080', undefined],
    ['127.0.0.1', 'localhost:8080', undefined],
    ['127.0.0.1', 'LOCALHOST', undefined],
    ['::1', '[::1]:8080', undefined],
    ['localhost', '127.9.9.9', undefined],
    ['127.0.0.1', 'evil.example', 'unknown'],
    ['127.0.0.1', 'localhost.evil.example', 'unknown'],
    ['127.0.0.1', '127.0.0.1.evil.example:8080', 'unknown'],
    ['::1', '192.168.0.7', 'unknown'],
    ['0.0.0.0', 'anything.example', undefined],
    ['127.0.0.1', '', 'invalid'],
    ['127.0.0.1', 'a b', 'invalid'],
    ['127.0.0.1', 'user@localhost', 'invalid'],
    ['127.0.0.1', 'localhost/x', 'invalid'],
    ['0.0.0.0', 'localhost:99999', 'invalid'],
    ['127.0.0.1', '[', 'invalid'],
  ])('to a server on %s may be %s: %s', (listensOn, host, expected) => {
    expect(problem(listensOn, host)).toBe(expected)
  })

  it('may be a name that the server was given, with any port', () => {
    expect(problem('127.0.0.1', 'api.example:443', ['API.example'])).toBeUndefined()
    expect(problem('127.0.0.1', 'api.example', ['api.example:8443'])).toBeUndefined()
    expect(problem('127.0.0.1', 'www.api.example', ['api.example'])).toBe('unknown')
  })

  it('is required once, except in HTTP/1.0', () => {
    const check = hostCheck('127.0.0.1')
    expect(check({ httpVersion: '1.1', rawHeaders: ['x', 'host'] })).toBe('missing')
    expect(check({ httpVersion: '1.0', rawHeaders: [] })).toBeUndefined()
    expect(check({ httpVersion: '1.0', rawHeaders: ['Host', 'evil.example'] })).toBe('unknown')
    expect(check({ httpVersion: '1.1', rawHeaders: ['Host', 'localhost', 'host', 'localhost'] })).toBe('missing')
  })
})
