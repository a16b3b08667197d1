/** Characters of an SDK error that are logged: what it is about, before it repeats the message. */
const MAX_LOGGED_ERROR_CHARS = 100

/** What the log says of an SDK error. Such errors end in the message that they are about, which may hold a thought. */
export function withoutPayload(error: Error): string {
  return error.message.split(/[{[]/, 1).join('').slice(0, MAX_LOGGED_ERROR_CHARS)
}
