/** A clock that moves on by a second whenever it is asked: 2026-12-01 09:00:00, 09:00:01, … UTC. */
export function tickingClock(): () => number {
  let ms = Date.UTC(2026, 11, 1, 9) - 1000
  return () => {
    ms += 1000
    return ms
  }
}
