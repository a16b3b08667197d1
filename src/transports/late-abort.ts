/**
 * An `AbortController` that makes its signal when somebody asks for it. Most requests are answered before anybody
 * does, and a signal costs more than all the rest that the SDK keeps of a request (see scripts/lean-sdk.ts).
 */
export class LateAbortController {
  #controller: AbortController | undefined
  #abortion: { readonly reason: unknown } | undefined

  get isAborted(): boolean {
    return this.#abortion !== undefined
  }

  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController()
      if (this.#abortion !== undefined) this.#controller.abort(this.#abortion.reason)
    }
    return this.#controller.signal
  }

  /** Once; what comes later changes nothing. */
  abort(reason?: unknown): void {
    if (this.isAborted) return
    this.#abortion = { reason }
    this.#controller?.abort(reason)
  }
}
