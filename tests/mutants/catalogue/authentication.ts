import { type Mutant, mutantsIn } from './mutant.js'

const mutant = mutantsIn('authentication')

/** Faults of authentication. */
export const authenticationMutants: readonly Mutant[] = [
  mutant('no-credential-passes', 'A request without a credential is answered.', () => ({
    authenticates: credential => credential !== 'wrong',
  })),
  mutant('wrong-credential-passes', 'A request with a broken credential is answered.', () => ({
    authenticates: credential => credential !== 'none',
  })),
  mutant('beginning-of-token-passes', 'The beginning of the token is enough.', () => ({
    authenticates: credential => credential === 'right' || credential === 'shortened',
  })),
  mutant('longer-token-passes', 'A token that begins with the right one is accepted.', () => ({
    authenticates: credential => credential === 'right' || credential === 'lengthened',
  })),
  mutant('token-ignores-case', 'The token is compared without letter case.', () => ({
    authenticates: credential => credential === 'right' || credential === 'otherCase',
  })),
  mutant('scheme-ignored', 'The token is accepted under any scheme.', () => ({
    authenticates: credential => credential === 'right' || credential === 'otherScheme',
  })),
  mutant('credential-unchecked-on-items', 'Single items need no credential.', () => ({
    authenticates: (credential, at) => credential === 'right' || at.endpoint?.kind === 'item',
  })),
  mutant('credential-unchecked-on-calls', 'Functions and actions need no credential.', () => ({
    authenticates: (credential, at) => credential === 'right' || at.endpoint?.kind === 'call',
  })),
  mutant('credential-unchecked-on-functions', 'Functions need no credential.', () => ({
    authenticates: (credential, at) =>
      credential === 'right' || (at.endpoint?.kind === 'call' && at.endpoint.method === 'GET'),
  })),
  mutant('credential-unchecked-on-counts', 'Counts need no credential.', () => ({
    authenticates: (credential, at) => credential === 'right' || at.endpoint?.kind === 'count',
  })),
  mutant('credential-unchecked-on-delta', 'Delta queries need no credential.', () => ({
    authenticates: (credential, at) => credential === 'right' || at.endpoint?.kind === 'delta',
  })),
  mutant('credential-unchecked-on-next-pages', 'Pages that a next link leads to need no credential.', () => ({
    authenticates: (credential, at) => credential === 'right' || at.request.query.includes('skiptoken'),
  })),
  mutant('credential-unchecked-for-head', 'HEAD needs no credential.', () => ({
    authenticates: (credential, at) => credential === 'right' || at.request.method === 'HEAD',
  })),
  mutant('credential-unchecked-for-singleton-patch', 'PATCH of a singleton needs no credential.', () => ({
    authenticates: (credential, at) =>
      credential === 'right' || (at.request.method === 'PATCH' && at.endpoint?.resolved.length === 1),
  })),
  mutant('credential-unchecked-for-conditions', 'A request with If-None-Match needs no credential.', () => ({
    authenticates: (credential, at) => credential === 'right' || at.request.headers.get('if-none-match') !== null,
  })),
  mutant('credential-unchecked-below-items', 'Collections below an item need no credential.', () => ({
    authenticates: (credential, at) =>
      credential === 'right' || (at.endpoint?.kind === 'collection' && at.endpoint.keys.length > 0),
  })),
  mutant('refusal-lasts-for-next-request', 'The request after a refused one is refused, too.', () => {
    let refused = false
    return {
      authenticates: credential => {
        const before = refused
        refused = credential !== 'right'
        return credential === 'right' && !before
      },
    }
  }),
  mutant('credential-refused-with-403', 'A request without a credential is answered with 403.', correct => ({
    error: (error, message, at) =>
      correct.error(error === at.service.authentication.missing ? { ...error, status: 403 } : error, message, at),
  })),
  mutant('credential-refused-with-400', 'A request without a credential is answered with 400.', correct => ({
    error: (error, message, at) =>
      correct.error(error === at.service.authentication.missing ? { ...error, status: 400 } : error, message, at),
  })),
  mutant('credential-refused-with-a-page', 'A request without a credential gets a sign-in page.', correct => ({
    error: (error, message, at) =>
      error === at.service.authentication.missing
        ? { status: 200, headers: { 'Content-Type': 'text/html' }, text: '<form>Sign in</form>' }
        : correct.error(error, message, at),
  })),
  mutant('credential-refused-without-error', 'A request without a credential gets 401 and HTML.', correct => ({
    error: (error, message, at) =>
      error === at.service.authentication.missing
        ? { status: 401, headers: { 'Content-Type': 'text/html' }, text: '<h1>401</h1>' }
        : correct.error(error, message, at),
  })),
]
