import { describe, expect, it } from 'vitest'
import { LateAbortController } from '../../src/transports/late-abort.ts'

describe('LateAbortController', () => {
  it('aborts a signal that was asked for before', () => {
    const controller = new LateAbortController()
    const { signal } = controller
    expect([signal.aborted, controller.isAborted]).toEqual([false, false])
    controller.abort('gone')
    expect([signal.aborted, signal.reason, controller.isAborted]).toEqual([true, 'gone', true])
  })

  it('gives a signal that is aborted already to whoever asks later', () => {
    const controller = new LateAbortController()
    controller.abort('gone')
    expect([controller.signal.aborted, controller.signal.reason]).toEqual([true, 'gone'])
    expect(controller.signal).toBe(controller.signal)
  })

  it('keeps the first reason, and has one where none is given', () => {
    const controller = new LateAbortController()
    controller.abort()
    controller.abort('later')
    expect(controller.signal.reason).toMatchObject({ name: 'AbortError' })
  })
})
