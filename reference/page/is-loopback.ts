/** Whether a host, as in an address or the header `Host`, with or without a port, is this very machine. */
export function isLoopback(host: string): boolean {
  if (host === '::1') return true
  const name = host.replace(/:\d+$/, '').toLowerCase()
  return name === 'localhost' || name === '[::1]' || /^127(?:\.\d{1,3}){3}$/.test(name)
}
