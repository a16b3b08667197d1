import { isIPv4 } from 'node:net'

/** Whether an address to listen on is reached from this machine only. */
export function isLoopback(host: string): boolean {
  return host.toLowerCase() === 'localhost' || host === '::1' || (isIPv4(host) && host.startsWith('127.'))
}
