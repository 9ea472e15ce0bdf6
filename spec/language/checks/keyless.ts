import type { Check } from './check.js'

/** A keyless type has no key, and its collections can only be read: a new item would have no URL, and a change no name. */
export const keyless: Check = ({ service, report }) => {
  for (const { name, keyless: isKeyless, key, location } of service.entityTypes) {
    if (!isKeyless || key.length === 0) continue
    const message = `"${name}" is \`keyless\`, but it has the key ${key.map(part => part.name).join(', ')}. Remove one of the two.`
    report({ code: 'spec/keyless-key', message, at: location.pointer, on: 'key' })
  }
  for (const { kind, ...endpoint } of service.endpoints) {
    if (!('type' in endpoint) || !endpoint.type.keyless) continue
    if (kind !== 'create' && kind !== 'createMedia' && kind !== 'delta') continue
    const what = kind === 'delta' ? 'Changes name items by their keys' : 'A new item needs a URL'
    const message = `${what}, and "${endpoint.type.name}" is \`keyless\`. Remove the endpoint, or give the type a key.`
    report({ code: 'spec/keyless-endpoint', message, at: endpoint.location.pointer, on: 'key' })
  }
}
