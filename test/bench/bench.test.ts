import { describe, expect, it } from 'vitest'
import { createRecorder, medianOf, percentile } from './measurement.ts'
import { parseOptions } from './options.ts'
import { formatNumber, renderSections, renderTable } from './table.ts'
import { judge } from './targets.ts'

describe('percentile', () => {
  it('is the middle of an odd number of samples, whatever their order', () => {
    expect(percentile([9, 1, 5], 50)).toBe(5)
  })

  it('lies between the closest ranks', () => {
    expect(percentile([1, 2], 50)).toBe(1.5)
    expect(percentile([0, 100], 99)).toBeCloseTo(99)
  })

  it('is nothing for no samples', () => {
    expect(percentile([], 50)).toBeUndefined()
  })
})

describe('the tables', () => {
  it('aligns columns, numbers to the right', () => {
    expect(
      renderTable([
        ['', 'server'],
        ['p50', '7.25'],
      ]),
    ).toBe('|     | server |\n| --- | -----: |\n| p50 |   7.25 |')
  })

  it('shows as many digits as the size of a value deserves', () => {
    expect([0.034, 12.34, 1234.5, 7].map((value) => formatNumber(value))).toEqual([
      '0.03',
      '12.3',
      '1,235',
      '7',
    ])
  })

  it('reports a failed server in its cell and in a footnote, with no value', () => {
    const recorder = createRecorder()
    const cell = { section: 'Start', figure: 'spawn', unit: 'ms', server: 'peer' } as const
    recorder.add(cell, 12)
    recorder.fail(cell, 'did not start')
    expect(medianOf(recorder.all()[0])).toBeUndefined()
    expect(renderSections(recorder.all())).toContain('none [1]')
    expect(renderSections(recorder.all())).toContain('[1] peer: did not start')
  })
})

describe('the targets', () => {
  it('have no verdict where nothing was measured', () => {
    expect(judge([], undefined).every(({ met }) => met === undefined)).toBe(true)
  })
})

describe('the options', () => {
  it('refuse an unknown figure, naming the known ones', () => {
    expect(() => parseOptions(['--only', 'start,speed'])).toThrow(/start, idle.*not "speed"/)
  })
})
