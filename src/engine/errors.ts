/** The stable codes of refused calls, one for each kind of mistake. Clients find them in `_meta["seqthink/code"]`. */
export type ThoughtErrorCode =
  | 'invalid_input'
  | 'thought_too_long'
  | 'session_required'
  | 'session_not_found'
  | 'thought_exists'
  | 'thought_out_of_order'
  | 'revision_target_not_found'
  | 'revision_out_of_order'
  | 'revision_limit'
  | 'thought_summarized'
  | 'branch_not_found'
  | 'branch_ambiguous'
  | 'branch_conflict'
  | 'branch_limit'
  | 'branch_point_not_found'
  | 'step_limit'

/**
 * A call that was refused; nothing was changed. The message is written for the calling model: what is wrong,
 * what exists or is allowed, and the fields to send next.
 */
export class ThoughtError extends Error {
  override readonly name = 'ThoughtError'
  readonly code: ThoughtErrorCode

  constructor(code: ThoughtErrorCode, message: string) {
    super(message)
    this.code = code
  }
}
