import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'

/** Memory and CPU time of another process can be read only where there is a /proc. */
export const hasProcStats = existsSync('/proc/self/stat')
export const noProcStats = 'needs /proc, so Linux only'

export function residentBytes(pid: number): number {
  const match = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))
  if (match?.[1] === undefined) throw new Error(`/proc/${pid}/status has no VmRSS`)
  return Number(match[1]) * 1024
}

/** User and system time of all threads since the process started. */
export function cpuTimeMs(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  // The second field is the command in parentheses and may hold spaces, so counting starts behind it.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return ((Number(fields[11]) + Number(fields[12])) * 1000) / ticksPerSecond()
}

let ticks: number | undefined

function ticksPerSecond(): number {
  ticks ??= Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }))
  return ticks
}
